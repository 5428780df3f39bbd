#pragma once
// What plans in JSON have in common.

#include <plait/core/axis.hpp>

#include <cstdint>
#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

inline std::string json_list(const auto& numbers) {
    std::string out = "[";
    for (const dim_t n : numbers) out += (out.size() > 1 ? ", " : "") + std::to_string(n);
    return out + "]";
}
/// Returns the 16 hexadecimal digits of a digest.
inline std::string json_digest(std::uint64_t digest) {
    std::string out(16, '0');
    for (std::size_t k = 0; k < 16; ++k) out[k] = "0123456789abcdef"[digest >> (60 - 4 * k) & 15];
    return out;
}
/// Returns where a loop nest is in the memory of one side.
inline std::string json_place(dim_t offset, const auto& strides) {
    return "{\"offset\": " + std::to_string(offset) + ", \"strides\": " + json_list(strides) + "}";
}

}  // namespace plait::detail
