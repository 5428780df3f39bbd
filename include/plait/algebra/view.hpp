#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/reshape.hpp>

namespace plait {
namespace detail {
/// The rule of view.
struct view_rule {
    static constexpr expected<layout> attempt(const layout& l, const dims& to) {
        return regroup_to(l, to, {.through_blocks = true});
    }
    /// Dynamic entries of `to` stand, in order, for the values of the open extents.
    static constexpr expected<layout> attempt_open(const layout& open, const layout& now, const dims& to) {
        return attempt_filled(open, now, to, [&](const dims& filled_in) { return attempt(now, filled_in); });
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// The complete reshape: splits and joins blocked axes and axes in any order too; the data stays where it is.
///
/// The result may lie outside what a memory descriptor of oneDNN can say: is_blocking(result) tells. A part of one
/// block is not padded: what its indices do not reach does not count.
///
/// Refused: as check_reshape, but for blocked axes and axes that do not chain: those only where a digit would have to
/// be cut at an extent that does not divide it: extents_do_not_divide (the digit's axis, what whole digits would give,
/// the extent wanted, and the nearest extent that works); axis_is_padded; too_many_digits
/// Pre:     check_view(l, to).ok()
/// Post:    linear_offset(result, i) == linear_offset(l, i) for every i < volume(l); reshape(l, to) where that is one;
///          for dynamic extents bind(result, values) == view(bind(l, values), to with the values), but where one
///          becomes 1 and an axis of one element has a block: then same_memory, with the block on the axis that it had
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.1, without its restriction to plain axes in order
/// Example: examples/06_reshape.cpp
inline constexpr operation<detail::view_rule> view;
/// Whether view is allowed, and what it is refused for.
inline constexpr operation_check<detail::view_rule> check_view;
/// The result of view, or what it is refused for.
inline constexpr operation_attempt<detail::view_rule> try_view;

}  // namespace plait
