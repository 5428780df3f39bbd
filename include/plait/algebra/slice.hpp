#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/resolve_links.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of slice.
struct slice_rule {
    /// Returns the layout without one axis, or why there is none.
    static constexpr expected<layout> attempt(const layout& l, int axis, dim_t index) {
        if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
        const int n = l.ndims();
        if (axis < 0 || axis >= n) return verdict{reason::axis_is_out_of_range, -1, axis, n};
        if (n == 1) return verdict{reason::layout_is_undefined};
        if (l.dims[axis] == dynamic) return verdict{reason::dim_is_dynamic, axis};
        if (index < 0 || index >= l.dims[axis])
            return verdict{reason::position_is_out_of_range, axis, index, l.dims[axis]};

        layout out = l;
        resolve_links(out, l.digits[axis]);
        checked_integer offset0{l.offset0};
        dim_t rest = index + l.padded_offsets[axis];
        for (int k = l.digits.size() - 1; k >= n; --k) {
            const digit& d = l.digits[k];
            if (d.axis != axis) continue;
            offset0 += rest % d.extent * d.stride;
            rest /= d.extent;
            out.digits.erase(k);
        }
        if (rest > 0) {
            if (!is_known(l.digits[axis].stride)) return verdict{reason::stride_is_dynamic, axis};
            offset0 += rest * l.digits[axis].stride;
        }
        if (!offset0.ok()) return verdict{reason::size_overflows, axis, index, l.digits[axis].stride};
        // Only a layout without elements can begin before offset 0.
        if (offset0.value >= 0) out.offset0 = offset0.value;
        out.digits.erase(axis);
        out.dims.erase(axis);
        out.padded_dims.erase(axis);
        out.padded_offsets.erase(axis);
        for (digit& d : out.digits) {
            if (d.axis > axis) --d.axis;
            if (is_outside(d.stride) && axis_inside(d.stride) > axis) --d.stride;
        }
        return {out, check_reach(out)};
    }
    static constexpr axis_list axes(int ndims, int axis, dim_t) { return all_axes_but(ndims, axis); }
    static constexpr sums_rule sums = sums_rule::drop;
    static constexpr bool is_part = true;
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Selects the elements with one index along an axis, and removes the axis, without moving data.
///
/// The axis may be blocked: its digits are added to offset0, and those of the other axes are unchanged.
///
/// Refused: undefined (also if no axis would be left), any and opaque layouts; axis_is_out_of_range,
///          position_is_out_of_range; dim_is_dynamic, stride_is_dynamic (of this axis); size_overflows (without
///          elements)
/// Pre:     check_slice(l, axis, index).ok()
/// Post:    offset(result, p) == offset(l, p with index inserted at axis) for every position p
/// Cost:    O(digits squared) steps
/// Source:  submdspan with an index, C++26
/// Example: slice(layout({2, 3, 4}, "abc"), 0, 1).offset(2, 3) == layout({2, 3, 4}, "abc").offset(1, 2, 3)
inline constexpr operation<detail::slice_rule> slice;
/// Checks that slice is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::slice_rule> check_slice;
/// Returns the result of slice, or the verdict that refuses it.
inline constexpr operation_attempt<detail::slice_rule> try_slice;

}  // namespace plait
