#pragma once

#include <plait/core/axis.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace tool {

using json = nlohmann::ordered_json;

/// Returns numbers as an array: extents, strides.
template <class Numbers>
json list_of(const Numbers& numbers) {
    json out = json::array();
    for (const plait::dim_t number : numbers) out.push_back(number);
    return out;
}

/// Returns the text that the tool prints; bytes that are no UTF-8 are replaced.
inline std::string text_of(const json& what) { return what.dump(1, ' ', false, json::error_handler_t::replace) + '\n'; }

}  // namespace tool
