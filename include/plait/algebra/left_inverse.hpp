#pragma once

#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of left_inverse.
struct left_inverse_rule {
    /// Returns the left inverse of l as a function, or why there is none.
    static constexpr expected<layout> attempt(const layout& l) {
        const digits_taken linear = linear_digits(l);
        if (!linear.why.ok()) return linear.why;
        // From the innermost place in memory outwards: each digit becomes one that extends to the beginning of the next
        // one.
        digit_list inward;
        dim_t reached = 1, stride = 1, weight = 0, first = 0;  // of the previous digit; there is none yet
        const number_digits digits = digits_by_stride(linear.digits);
        for (const number_digit& d : digits) {
            const bool backwards = d.place.stride < 0;
            const dim_t next = step_size(d.place.stride);
            // If an axis is not whole, its last values do not exist, so the lowest place is not that of the last value.
            if (backwards && volume_of(linear.digits) != l.volume())
                return verdict{reason::axis_is_padded, linear.digits[0].axis, volume_of(linear.digits), l.volume()};
            if (next == 0) continue;
            // Elements share places, or are at a place that no whole number of steps leads to.
            if (next < reached && next % stride == 0)
                return verdict{reason::layout_is_not_injective, d.place.axis, d.place.extent, next};
            if (next % stride != 0) return verdict{reason::extents_do_not_divide, d.place.axis, next, stride};
            if (next > stride) inward.push_back({0, next / stride, weight});
            stride = next;
            weight = backwards ? -d.weight : d.weight;
            if (backwards) first += (d.place.extent - 1) * d.weight;
            reached = next * d.place.extent;
        }
        if (reached > stride) inward.push_back({0, reached / stride, weight});
        digit_list outward;
        for (int k = inward.size() - 1; k >= 0; --k) append_merged(outward, inward[k]);
        layout out = layout_of_one_axis(outward);
        out.offset0 = first;
        return {out, check_bounds(out)};
    }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// The layout that maps the offset of an element of l, counted from the lowest one, to its row-major number. l may have
/// gaps; at their offsets the result is meaningless.
///
/// Refused: as check_static; axis_is_padded; layout_is_not_injective (strides that overlap; one of 0 is allowed);
///          extents_do_not_divide (a stride is not a multiple of the next smaller one, the second number);
///          size_overflows; stride_is_negative (of the result, if l runs backwards and leaves gaps)
/// Pre:     check_left_inverse(l).ok()
/// Post:    linear_offset(l, r) == linear_offset(l, i)
///          for r = offset(result, linear_offset(l, i) - element_offsets(l).first);
///          r == i if is_injective(l). result has one axis, and is inverse(l) if that exists
/// Cost:    O(digits squared) steps
/// Source:  the left inverse of CuTe
/// Example: of layout({4}, strides{2}), 4:2 in CuTe: (2,4):(0,1), so index 6 is mapped to 3
inline constexpr operation<detail::left_inverse_rule> left_inverse;
/// Checks that left_inverse is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::left_inverse_rule> check_left_inverse;
/// Returns the result of left_inverse, or the verdict that refuses it.
inline constexpr operation_attempt<detail::left_inverse_rule> try_left_inverse;

}  // namespace plait
