#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/reshape.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of view.
struct view_rule {
    static constexpr expected<layout> attempt(const layout& l, const dims& to) {
        return regroup_to(l, to, {.through_blocks = true});
    }
    /// Computes the result for a bound layout. Dynamic entries of `to` stand, in order, for the values of open extents.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, const dims& to) {
        return attempt_filled(open, now, to, [&](const dims& filled_in) { return attempt(now, filled_in); });
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// The complete reshape: also splits and joins blocked axes, and axes in any order, without moving data.
///
/// A memory descriptor of oneDNN may not be able to hold the result; see is_blocking(result). A part of one block is
/// not padded: places that its indices do not reach do not count.
///
/// Refused: as check_reshape, except that blocked axes and axes that do not chain fail only if a digit would have to be
///          cut at an extent that does not divide it: extents_do_not_divide (the axis of the digit, the extent of whole
///          digits, the extent wanted, and the nearest extent that works); axis_is_padded; too_many_digits
/// Pre:     check_view(l, to).ok()
/// Post:    linear_offset(result, i) == linear_offset(l, i) for every i < volume(l); reshape(l, to) if that is allowed;
///          for dynamic extents bind(result, values) == view(bind(l, values), to with the values), except if one
///          becomes 1 and an axis of one element has a block: then same_memory, with the block on the axis that it had
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.1, without its restriction to plain axes in order
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::view_rule> view;
/// Checks that view is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::view_rule> check_view;
/// Returns the result of view, or the verdict that refuses it.
inline constexpr operation_attempt<detail::view_rule> try_view;

}  // namespace plait
