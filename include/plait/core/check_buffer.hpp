#pragma once
// What is asked of the memory that an operation is given before any of it is touched: that it is there, is large
// enough, and is not partly another tensor's.

#include <plait/core/verdict.hpp>

#include <cstddef>

namespace plait {

/// Which memory a refusal is about: its number `nearest`.
enum class buffer_role { buffer, source, destination };

/// Whether a tensor that needs so many bytes fits what it is given; `data` may be null where it needs none.
///
/// Pre:     none
/// Refused: buffer_is_null (the bytes needed), buffer_is_too_small (the bytes given, and those needed)
/// Cost:    two comparisons
constexpr verdict check_buffer(const void* data, std::size_t given, std::size_t needed, buffer_role which) {
    const auto role = static_cast<dim_t>(which);
    const auto bytes = static_cast<dim_t>(needed);
    if (needed != 0 && data == nullptr) return {reason::buffer_is_null, -1, bytes, 0, role};
    if (given < needed) return {reason::buffer_is_too_small, -1, static_cast<dim_t>(given), bytes, role};
    return {};
}

/// The refusal of a source and a destination that share memory: the bytes of each, and how many lie between their
/// beginnings.
constexpr verdict overlap_of(std::size_t src_bytes, std::size_t dst_bytes, std::ptrdiff_t distance) {
    return {reason::spans_overlap, -1, static_cast<dim_t>(src_bytes), static_cast<dim_t>(dst_bytes), distance};
}

}  // namespace plait
