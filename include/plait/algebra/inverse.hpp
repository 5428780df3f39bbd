#pragma once

#include <plait/algebra/linear_digits.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The rule of inverse.
struct inverse_rule {
    /// Returns the inverse of l as a function, or why there is none.
    static constexpr expected<layout> attempt(const layout& l) {
        const digits_taken linear = linear_digits(l);
        if (!linear.why.ok()) return linear.why;
        const digit_list& digits = linear.digits;
        if (const dim_t all = volume_of(digits); all != l.volume())
            return verdict{reason::axis_is_padded, digits[0].axis, all, l.volume()};

        // From the innermost place in memory outwards: each digit must begin where those inside it end. A backwards
        // digit is backwards in the inverse too: from its last value, at the lowest place, down to 0.
        digit_list inward;
        dim_t reached = 1, first = 0, begin = l.offset0;
        for (const number_digit& d : digits_by_stride(digits)) {
            digit place = d.place;
            if (place.stride < 0) {
                first += (place.extent - 1) * d.weight;
                begin += (place.extent - 1) * place.stride;
                place.stride = -place.stride;
            }
            // The digits inside reach every offset below `reached`, so a smaller step leads to the place of another
            // element.
            if (place.stride < reached)
                return verdict{reason::layout_is_not_injective, place.axis, place.extent, place.stride};
            if (place.stride > reached)
                return verdict{reason::layout_is_not_dense, place.axis, reached, l.volume() - 1};
            inward.push_back({0, place.extent, d.place.stride < 0 ? -d.weight : d.weight});
            reached *= place.extent;
        }
        if (begin != 0) return verdict{reason::layout_is_not_dense, -1, 0, begin};
        digit_list outward;
        for (int k = inward.size() - 1; k >= 0; --k) outward.push_back(inward[k]);
        layout out = layout_of_one_axis(outward);
        out.offset0 = first;
        return {out, {}};
    }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// The layout that maps an offset of l to the row-major number of the element there. For layouts with gaps, or with
/// elements that share places, see left_inverse and right_inverse.
///
/// Refused: as check_static; axis_is_padded; layout_is_not_injective; layout_is_not_dense (an offset without an
///          element)
/// Pre:     check_inverse(l).ok()
/// Post:    result.dims == {volume(l)}; offset(result, linear_offset(l, i)) == i;
///          linear_offset(l, offset(result, x)) == x
/// Cost:    O(digits squared) steps
/// Source:  the inverses of CuTe, which are equal for a layout without gaps
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::inverse_rule> inverse;
/// Checks that inverse is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::inverse_rule> check_inverse;
/// Returns the result of inverse, or the verdict that refuses it.
inline constexpr operation_attempt<detail::inverse_rule> try_inverse;

/// Returns the inverse of p: compose(p, inverse(p)) is the identity. Fails with not_a_permutation.
constexpr permutation apply_to(const permutation& p, operation<detail::inverse_rule>) {
    return detail::inverse_permutation(p);
}

}  // namespace plait
