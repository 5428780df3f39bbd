#pragma once
// What is asked of the memory that an operation is given before any of it is touched: that it is there, is large
// enough, and is not partly another tensor's.

#include <plait/core/verdict.hpp>

#include <cstddef>

namespace plait::detail {

/// Which memory a refusal is about: its number `third`.
enum class buffer_role { buffer, source, destination };

/// Whether a tensor that needs so many bytes fits what it is given; `data` may be null where it needs none.
///
/// Pre:     none
/// Refused: buffer_is_null (the bytes needed), buffer_is_too_small (the bytes given, and those needed)
/// Post:    check_buffer(data, given, needed, which).ok() == ((needed == 0 || data != nullptr) && given >= needed)
/// Cost:    two comparisons
/// Source:  plait's own
/// Example: check_buffer(nullptr, 0, 8, buffer_role::source) == verdict{reason::buffer_is_null, -1, 8, 0, 1}
constexpr verdict check_buffer(const void* data, std::size_t given, std::size_t needed, buffer_role which) {
    const auto role = static_cast<dim_t>(which);
    const auto bytes = static_cast<dim_t>(needed);
    if (needed != 0 && data == nullptr) return {reason::buffer_is_null, -1, bytes, 0, role};
    if (given < needed) return {reason::buffer_is_too_small, -1, static_cast<dim_t>(given), bytes, role};
    return {};
}

/// The refusal of a source and a destination that share memory: the bytes of each, and how many lie between their
/// beginnings, from the source's to the destination's.
///
/// Pre:     none; what shares memory is for the caller to see
/// Post:    result == verdict{reason::spans_overlap, -1, src_bytes, dst_bytes, distance}
/// Cost:    none
/// Source:  spec semantics 12
/// Example: overlap_of(2720, 5120, -4): the destination of 5120 bytes begins 4 bytes in front of the source of 2720
constexpr verdict overlap_of(std::size_t src_bytes, std::size_t dst_bytes, std::ptrdiff_t distance) {
    return {reason::spans_overlap, -1, static_cast<dim_t>(src_bytes), static_cast<dim_t>(dst_bytes), distance};
}

}  // namespace plait::detail
