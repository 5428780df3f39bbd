#pragma once

#include <plait/algebra/join_axes.hpp>

namespace plait {

/// Whether the axes first to last of l can be flattened; refused as in check_join_axes.
constexpr verdict check_flatten(const layout& l, int first, int last) { return check_join_axes(l, first, last); }
constexpr verdict check_flatten(const layout& l, int first = 0) { return check_join_axes(l, first, l.ndims() - 1); }

/// Makes the axes first to last one axis; without `last`, all from `first` on, as the frameworks' flatten.
///
/// Pre:     check_flatten(l, first, last).ok()
/// Post:    result == join_axes(l, first, last)
/// Cost:    O(ndims squared + digits) steps
/// Source:  seeds rfc-memory-descriptor-operations, 4.1: where flatten is safe, it is a reshape
/// Example: examples/06_reshape.cpp
[[nodiscard]] constexpr layout flatten(const layout& l, int first, int last) { return join_axes(l, first, last); }
[[nodiscard]] constexpr layout flatten(const layout& l, int first = 0) { return join_axes(l, first, l.ndims() - 1); }

/// flatten(l, first, last), or what check_flatten says against it.
[[nodiscard]] constexpr expected<layout> try_flatten(const layout& l, int first, int last) {
    return try_join_axes(l, first, last);
}
[[nodiscard]] constexpr expected<layout> try_flatten(const layout& l, int first = 0) {
    return try_join_axes(l, first, l.ndims() - 1);
}

}  // namespace plait
