#pragma once

#include <plait/algebra/index_digits.hpp>
#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of broadcast_axis.
struct broadcast_axis_rule {
    /// Returns l with the one element of an axis repeated at every index, or why that fails.
    static constexpr expected<layout> attempt(const layout& l, int axis, dim_t extent) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        if (axis < 0 || axis >= l.ndims()) return verdict{reason::axis_is_out_of_range, -1, axis, l.ndims()};
        if (l.dims[axis] == dynamic) return verdict{reason::dim_is_dynamic, axis};
        const bool part_of_block = is_part_of_block(l, axis);
        const dim_t places = part_of_block ? l.dims[axis] : l.digits[axis].extent * l.block_size(axis);
        if (l.dims[axis] != 1 || places != 1)
            return verdict{reason::axis_is_not_one_element, axis, l.dims[axis], places};
        if (extent < 0 && extent != dynamic) return verdict{reason::dim_is_negative, axis, extent, 0};
        layout out = l;
        resolve_links(out, l.digits[axis]);
        out.dims[axis] = extent;
        out.padded_dims[axis] = extent;
        // The rest of the block is not broadcast.
        if (part_of_block) replace_digits(out, axis, {});
        out.digits[axis] = {axis, extent, 0};
        return {out, check_reach(out)};
    }
    static constexpr axis_list axes(int ndims, int, dim_t) { return all_axes(ndims); }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Repeats an axis of one element `extent` times, all in the same place (stride 0). The extent may be `dynamic`.
///
/// Refused: undefined, any and opaque layouts; axis_is_out_of_range, dim_is_dynamic (of this axis),
/// axis_is_not_one_element, dim_is_negative, size_overflows
/// Pre:     check_broadcast_axis(l, axis, extent).ok()
/// Post:    offset(result, p) == offset(l, p with 0 at axis) for every position p
/// Cost:    O(digits squared) steps
/// Source:  numpy.broadcast_to
/// Example: broadcast_axis(layout({1, 3}, "ab"), 0, 4) == layout({4, 3}, strides{0, 1})
inline constexpr operation<detail::broadcast_axis_rule> broadcast_axis;
/// Checks that broadcast_axis is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::broadcast_axis_rule> check_broadcast_axis;
/// Returns the result of broadcast_axis, or the verdict that refuses it.
inline constexpr operation_attempt<detail::broadcast_axis_rule> try_broadcast_axis;

}  // namespace plait
