#pragma once
// What indexing a layout computes, as data: the summands of an offset. Static layouts fold over it, bound ones too, and
// run-time ones prepare it once.

#include <plait/algebra/linear_digits.hpp>

namespace plait {
namespace detail {
/// One summand of an offset: one digit of the index along an axis, times its stride.
///
/// Of the index i along the axis, counted in the padded tensor, the digit has the value i / divisor % extent; the
/// outermost digit of an axis has the extent 0 here and takes what is left, i / divisor.
struct index_term {
    int axis = 0;
    dim_t divisor = 1;  ///< how many indices the digits inside of it count
    dim_t extent = 0;
    dim_t stride = 0;  ///< as digit::stride: may be known only when the extents are
    constexpr bool operator==(const index_term&) const = default;
};
}  // namespace detail
/// The summands of an offset.
using index_terms = inline_list<detail::index_term, max_digits>;

namespace detail {
/// The digits of one axis, outermost first, as few as say the same for every padded index.
///
/// Pre:     check_blocked(l).ok()
constexpr digit_list fewest_digits(const layout& l, int axis) {
    const dim_t extent = l.padded_dims[axis];
    if (extent > 0) return fewest_digits(l, axis, extent);
    if (extent != dynamic) return {};  // without elements there is nothing to add up
    return merged_digits(l, axis);
}
}  // namespace detail

/// The summands of an offset, axis by axis and from the inside out, without those that are always 0.
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

}  // namespace plait
