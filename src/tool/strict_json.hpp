#pragma once
// JSON from untrusted files: no duplicate names in an object, and limited depth.

#include "errors.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string_view>

namespace tool {

/// Parses JSON. Throws failure, which names the file, if an object has a duplicate name, or if lists and objects are
/// nested more than 16 deep, because copying and writing JSON recurses. Throws Json's exception for invalid JSON.
template <class Json>
Json parse_strictly(const std::string& file, std::string_view text) {
    constexpr int deepest = 16;
    std::vector<std::set<std::string>> seen;
    return Json::parse(text, [&](int depth, typename Json::parse_event_t event, Json& parsed) {
        if (depth > deepest)
            throw failure(file + ": lists and objects of its JSON are in more than " + std::to_string(deepest) +
                          " others");
        if (event == Json::parse_event_t::object_start) seen.emplace_back();
        if (event == Json::parse_event_t::object_end) seen.pop_back();
        if (event == Json::parse_event_t::key && !seen.back().insert(parsed.template get<std::string>()).second)
            throw failure(file + ": the name '" + parsed.template get<std::string>() +
                          "' is there twice in one object");
        return true;
    });
}

}  // namespace tool
