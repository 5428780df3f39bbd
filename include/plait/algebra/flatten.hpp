#pragma once

#include <plait/algebra/join_axes.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of flatten.
struct flatten_rule {
    using arguments = argument_types<argument_types<int, int>, argument_types<int>, argument_types<>>;
    static constexpr expected<layout> attempt(const layout& l, int first, int last) {
        return join_axes_rule::attempt(l, first, last);
    }
    static constexpr expected<layout> attempt(const layout& l, int first = 0) {
        return join_axes_rule::attempt(l, first, l.ndims() - 1);
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Joins the axes first to last. Without `last`, joins all axes starting at `first`, like the flatten of frameworks;
/// without `first`, all.
///
/// Refused: as join_axes
/// Pre:     check_flatten(l, first, last).ok()
/// Post:    result == join_axes(l, first, last)
/// Cost:    O(ndims squared + digits) steps
/// Source:  seeds rfc-memory-descriptor-operations, 4.1: if flatten is safe, it is a reshape
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::flatten_rule> flatten;
/// Checks that flatten is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::flatten_rule> check_flatten;
/// Returns the result of flatten, or the verdict that refuses it.
inline constexpr operation_attempt<detail::flatten_rule> try_flatten;

}  // namespace plait
