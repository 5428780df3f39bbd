#pragma once
// A layout as a function from the row-major number of an element (the last axis fastest) to its offset.
// docs/design/functions.md describes what follows from that.

#include <plait/algebra/index_digits.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns l with the fewest digits: merged if possible, without values that no index reaches.
///
/// Pre:     check_static_layout(l).ok(), padded_volume(l) > 0
/// Post:    offset(result, p) == offset(l, p); the inner digits are axis by axis, not in the order of memory
constexpr layout with_fewest_digits(const layout& l) {
    layout out = l;
    out.digits = {};
    digit_list inner;
    for (int a = 0; a < l.ndims(); ++a) {
        const digit_list fewest = fewest_digits(l, a, l.padded_dims[a]);
        // A part of a block that ends inside one of its digits remains one.
        const bool whole = volume_of(fewest) == l.padded_dims[a], first_is_outer = whole && !fewest.empty();
        out.digits.push_back(first_is_outer ? fewest[0] : digit{a, 1, l.digits[a].stride});
        for (int k = first_is_outer ? 1 : 0; k < fewest.size(); ++k) inner.push_back(fewest[k]);
    }
    for (const digit& d : inner) out.digits.push_back(d);
    return out;
}

/// Returns the digits of the row-major number over all axes of l, outermost first, merged if possible.
///
/// Padding is allowed if the number never meets it: along the outermost axis, and if whole digits are padding.
///
/// Pre:     none; unsuitable layouts are refused
/// Post:    linear_offset(l, i) == l.offset0 + the sum of digit value of i times stride; the product of the extents is
///          volume(l), or more if the outermost axis is padded
/// Cost:    O(digits squared) steps, independent of the extents
/// Source:  spec semantics 4
/// Example: of layout({3, 4}, "ba"): a digit of 3 values with stride 1, and inside it one of 4 with stride 3
/// Refused: as check_static_layout; axis_is_padded if the number would skip padding; index_is_outside_domain if there
///          are no elements
constexpr digits_taken linear_digits(const layout& l) {
    if (const verdict why = check_static_layout(l); !why.ok()) return {{}, why};
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] < 1) return {{}, {reason::index_is_outside_domain, a, 0, l.dims[a]}};
    digits_taken out;
    checked_integer all{1};
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t extent = l.dims[a];
        if (l.padded_offsets[a] != 0) return {{}, {reason::axis_is_padded, a, l.padded_dims[a], extent}};
        const digit_list digits = fewest_digits(l, a, extent);
        checked_integer room{1};
        for (const digit& d : digits) room *= d.extent;
        // Only the last digit of the outermost axis may be partly used, because there the number ends.
        if (room.value != extent && !out.digits.empty()) return {{}, {reason::axis_is_padded, a, room.value, extent}};
        all *= room.value;
        if (!room.ok() || !all.ok()) return {{}, {reason::size_overflows, a, l.padded_dims[a], l.block_size(a)}};
        for (const digit& d : digits) append_merged(out.digits, d);
    }
    return out;
}

/// A digit of the row-major number, and how much one step of it adds to the number.
struct number_digit {
    digit place;
    dim_t weight = 1;
};
/// Digits of the row-major number, the innermost in memory first.
using number_digits = inline_list<number_digit, max_digits>;

/// Returns the digits of the row-major number by stride, the smallest first; the outer digit first if strides are
/// equal.
///
/// Pre:     linear is linear_digits(l).digits of some l
constexpr number_digits digits_by_stride(const digit_list& linear) {
    number_digits out;
    for (int k = 0; k < linear.size(); ++k) {
        dim_t weight = 1;
        for (int j = k + 1; j < linear.size(); ++j) weight *= linear[j].extent;
        int at = out.size();
        out.push_back({linear[k], weight});
        for (; at > 0 && step_size(out[at - 1].place.stride) > step_size(linear[k].stride); --at) {
            out[at] = out[at - 1];
            out[at - 1] = {linear[k], weight};
        }
    }
    return out;
}

/// Returns the layout of one axis with these digits.
///
/// Pre:     the product of the extents fits in 63 bits
constexpr layout layout_of_one_axis(const digit_list& digits) {
    layout out;
    out.kind = format_kind::blocked;
    out.dims.push_back(volume_of(digits));
    out.padded_dims = out.dims;
    out.padded_offsets.push_back(0);
    for (const digit& d : digits) out.digits.push_back({0, d.extent, d.stride});
    if (digits.empty()) out.digits.push_back({0, 1, 1});
    return out;
}

/// Returns the multiple of n nearest to x, at least n; the smaller of two equally near ones.
///
/// Pre:     n > 0, x >= 0
constexpr dim_t nearest_multiple(dim_t n, dim_t x) {
    const dim_t below = x - x % n;
    const bool up = below == 0 || x - below > n - (x - below);
    return up && below <= INT64_MAX - n ? below + n : below;
}

}  // namespace plait::detail
