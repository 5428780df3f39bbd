#pragma once
// JSON as files of others have it: every name once in its object, and nothing deeper than what is read needs.

#include "errors.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string_view>

namespace tool {

/// The text as JSON. Throws failure, which names the file, where an object has a name twice, and where lists and
/// objects are in more than 16 others: copying and writing JSON goes as deep as it is. Throws what Json throws where it
/// is none.
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
