#pragma once
// A layout as a function: from the row-major number of an element (the last axis fastest) to its offset.

#include <plait/algebra/regroup.hpp>

namespace plait {

/// The digits of the row-major number over all axes of l, outermost first, merged where two are one.
///
/// Post:    linear_offset(l, i) == l.offset0 + the sum of digit value of i times stride
/// Refused: as check_static and check_layout; axis_is_padded, for the number skips what is padding; index_is_outside_domain if there are
/// no elements
constexpr digits_taken linear_digits(const layout& l) {
    if (const verdict why = check_static(l); !why.ok()) return {{}, why};
    if (const verdict why = check_layout(l); !why.ok()) return {{}, why};
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] < 1) return {{}, {reason::index_is_outside_domain, a, 0, l.dims[a]}};
    return digits_of_group(l, {0, l.ndims(), 0, 0}, {.through_blocks = true});
}

/// The layout of one axis with these digits.
///
/// Pre:     the product of the extents fits in 63 bits
constexpr layout layout_of_one_axis(const digit_list& digits) {
    layout out;
    out.kind = format_kind::blocked;
    dim_t volume = 1;
    for (const digit& d : digits) volume *= d.extent;
    out.dims.push_back(volume);
    out.padded_dims = out.dims;
    out.padded_offsets.push_back(0);
    for (const digit& d : digits) out.digits.push_back({0, d.extent, d.stride});
    if (digits.empty()) out.digits.push_back({0, 1, 1});
    return out;
}

/// The multiple of n nearest to x, at least n; the smaller of two.
///
/// Pre:     n > 0, x >= 0
constexpr dim_t nearest_multiple(dim_t n, dim_t x) {
    const dim_t below = x - x % n;
    const bool up = below == 0 || x - below > n - (x - below);
    return up && below <= INT64_MAX - n ? below + n : below;
}

}  // namespace plait
