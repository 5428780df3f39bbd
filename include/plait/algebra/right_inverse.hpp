#pragma once

#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of right_inverse.
struct right_inverse_rule {
    /// Returns the right inverse of l as a function, or why there is none.
    static constexpr expected<layout> attempt(const layout& l) {
        digits_taken linear = linear_digits(l);
        if (!linear.why.ok()) return linear.why;
        // The outermost digit might be partly used: only its whole values count.
        if (digit_list& list = linear.digits; !list.empty()) {
            const dim_t inside = volume_of(list) / list[0].extent;
            list[0].extent = l.volume() / inside;
        }
        // From the innermost place in memory outwards, while each digit begins where those inside it end.
        digit_list inward;
        dim_t reached = 1;
        for (const number_digit& d : digits_by_stride(linear.digits)) {
            if (d.place.stride != reached || d.place.extent < 2) continue;
            inward.push_back({0, d.place.extent, d.weight});
            reached *= d.place.extent;
        }
        digit_list outward;
        for (int k = inward.size() - 1; k >= 0; --k) append_merged(outward, inward[k]);
        return {layout_of_one_axis(outward), {}};
    }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// The layout that maps an offset to the row-major number of the element of l there, for the offsets starting at
/// l.offset0 that digits of l fill without a gap. There is only one such offset if no stride is 1.
///
/// Refused: as check_static; axis_is_padded; index_is_outside_domain (no elements)
/// Pre:     check_right_inverse(l).ok()
/// Post:    linear_offset(l, offset(result, x)) == l.offset0 + x for every x < volume(result); result has one axis, and
///          is inverse(l) if that exists and no axis of l runs backwards
/// Cost:    O(digits squared) steps
/// Source:  the right inverse of CuTe
/// Example: of layout({8, 4}, strides{1, 8}): (8,4):(4,1) in CuTe; of layout({8, 4}, strides{1, 16}), rows apart: 8:4
inline constexpr operation<detail::right_inverse_rule> right_inverse;
/// Checks that right_inverse is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::right_inverse_rule> check_right_inverse;
/// Returns the result of right_inverse, or the verdict that refuses it.
inline constexpr operation_attempt<detail::right_inverse_rule> try_right_inverse;

}  // namespace plait
