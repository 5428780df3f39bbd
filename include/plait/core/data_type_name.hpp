#pragma once
// The element types by number and by name. An error sentence needs no more than this.

#include <plait/version.hpp>

namespace plait {

/// The type of the elements of a tensor; undef means that none is given. The numbers are plait's own;
/// onednn_type_numbers has oneDNN's.
enum class data_type { undef, f64, f32, bf16, f16, f8_e5m2, f8_e4m3, s32, s8, u8 };

namespace detail {
/// The names of the data types, in the order of the enumerators.
inline constexpr const char* data_type_names[] = {"undef",   "f64",     "f32", "bf16", "f16",
                                                  "f8_e5m2", "f8_e4m3", "s32", "s8",   "u8"};
}  // namespace detail

/// Returns the oneDNN name of a data type, or "unknown data type" if the number is not an enumerator.
[[nodiscard]] constexpr const char* to_string(data_type type) {
    const auto place = static_cast<unsigned>(type);
    return place < sizeof(detail::data_type_names) / sizeof(detail::data_type_names[0]) ? detail::data_type_names[place]
                                                                                        : "unknown data type";
}

}  // namespace plait
