#pragma once
// The digits of few indices, from their offsets: where no rule of digits applies, but the offsets happen to be those of
// a layout.
//
// Example: 6 elements by steps of 3 in blocks of 8; two elements on both sides of the end of a block.

#include <plait/algebra/index_digits.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The greatest number of indices whose offsets are compared one by one.
inline constexpr dim_t listed_indices = 1024;

/// The digits of an axis, if there are any.
struct listed_digits {
    digit_list digits;  ///< outermost first; empty if there are none
    dim_t inside = 1;   ///< the number of indices in the outermost digit's value
};

/// Returns the digits of `count` indices whose offsets exceed that of index 0 by offset(j).
///
/// Pre:     1 < count <= listed_indices
/// Post:    unless result.digits is empty, offset(j) is the sum of its digit values of j times strides, for j < count.
///          If it is empty, no digits have these offsets (proofs/places.v), or more than max_digits
/// Cost:    O(count times digits) steps
template <class Offset>
constexpr listed_digits list_digits(int axis, dim_t count, const Offset& offset) {
    listed_digits out;
    digit_list inner;  // innermost first
    for (dim_t extent = 0; out.inside < count; out.inside *= extent) {
        const dim_t stride = offset(out.inside), values = divide_up(count, out.inside);
        if (!is_known(stride)) return {};
        extent = 1;
        while (extent < values && offset(out.inside * extent) == wrapping_multiply(extent, stride)) ++extent;
        if (inner.full()) return {};
        inner.push_back({axis, extent, stride});
        if (extent == values) break;
    }
    for (dim_t j = 0; j < count; ++j) {
        dim_t rest = j, sum = 0;
        for (const digit& d : inner) {
            sum = wrapping_add(sum, wrapping_multiply(rest % d.extent, d.stride));
            rest /= d.extent;
        }
        if (sum != offset(j)) return {};
    }
    for (int k = inner.size() - 1; k >= 0; --k) out.digits.push_back(inner[k]);
    return out;
}

}  // namespace plait::detail
