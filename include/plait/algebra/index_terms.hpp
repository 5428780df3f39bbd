#pragma once
// The computation of an offset, as data: its summands. Static and bound layouts fold over them; run-time layouts
// compute them once.

#include <plait/algebra/linear_digits.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// One summand of an offset: one digit of the index along an axis, times its stride.
///
/// The value of the digit is i / divisor % extent, if i is the index along the axis, counted in the padded tensor. The
/// outermost digit of an axis has extent 0 here, and the value i / divisor.
struct index_term {
    int axis = 0;
    dim_t divisor = 1;  ///< how many indices the digits inside it count
    dim_t extent = 0;
    dim_t stride = 0;  ///< as digit::stride: may be known only when the extents are
    constexpr bool operator==(const index_term&) const = default;
};
}  // namespace detail
/// The summands of an offset.
using index_terms = inline_list<detail::index_term, max_digits>;

/// Returns the summands of an offset, axis by axis from the innermost digit outwards, without those that are always 0.
///
/// Pre:     check_blocked(l).ok()
/// Post:    l.offset(p) == l.offset0 + the sum of (p + l.padded_offsets)[axis] / divisor % extent times stride
/// Cost:    O(digits) steps
/// Source:  spec semantics 4
/// Example: of layout({2, 32, 5, 6}, "nChw16c"): n times 960, c / 16 times 480, c % 16 times 1, h times 96, w times 16
constexpr index_terms terms_of(const layout& l) {
    index_terms out;
    for (int a = 0; a < l.ndims(); ++a) {
        const detail::digit_list digits = detail::fewest_digits(l, a);
        dim_t divisor = 1;
        for (int k = digits.size() - 1; k >= 0; --k) {
            if (digits[k].stride != 0) out.push_back({a, divisor, k == 0 ? 0 : digits[k].extent, digits[k].stride});
            if (k > 0) divisor *= digits[k].extent;
        }
    }
    return out;
}

namespace detail {
/// Returns where the indices of an axis lie by the summands of an offset, e.g. the values of an attribute by mask,
/// group or layout.
///
/// Pre:     the strides of the axis are known
/// Post:    result(i) == the sum of i / divisor % extent times stride over the summands of the axis
constexpr axis_places places_of(const index_terms& terms, int axis) {
    axis_places out;
    for (const index_term& t : terms)
        if (t.axis == axis) out.add_digit(t.divisor, t.extent, t.stride, INT64_MAX);
    return out;
}
}  // namespace detail

}  // namespace plait
