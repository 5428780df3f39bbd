#pragma once
// Checks on the memory passed to an operation, made before any of it is accessed: it exists, is large enough, and does
// not overlap another tensor's.

#include <plait/core/verdict.hpp>

#include <cstddef>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The memory that a failed check is about, as the verdict's number `third`.
enum class buffer_role { buffer, source, destination };

/// Checks that a buffer has the bytes that a tensor needs. `data` may be null if it needs none.
///
/// Pre:     none
/// Refused: buffer_is_null (the bytes needed), buffer_is_too_small (the bytes given, the bytes needed)
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

/// Returns the verdict that refuses a source and a destination that share memory: the bytes of each, and the distance
/// from the beginning of the source to that of the destination.
///
/// Pre:     none; the caller has found that they overlap
/// Post:    result == verdict{reason::spans_overlap, -1, src_bytes, dst_bytes, distance}
/// Cost:    none
/// Source:  spec semantics 12
/// Example: overlap_of(2720, 5120, -4): the destination of 5120 bytes begins 4 bytes before the source of 2720
constexpr verdict overlap_of(std::size_t src_bytes, std::size_t dst_bytes, std::ptrdiff_t distance) {
    return {reason::spans_overlap, -1, static_cast<dim_t>(src_bytes), static_cast<dim_t>(dst_bytes), distance};
}

}  // namespace plait::detail
