#pragma once

#include <plait/core/layout.hpp>

#include <utility>  // std::swap

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the stride of each digit of l in the array of sums; 0 for digits of axes that are not in the mask.
///
/// The digits are taken from the innermost in memory to the outermost. If two digits have the same stride, the one with
/// the smaller extent is the inner one, so that the result does not depend on the order of the axes. If both have an
/// extent above 1, their elements share places.
///
/// Pre:     check_layout(l).ok(), check_static(l).ok(), mask has no bits beyond the axes
constexpr inline_list<dim_t, max_digits> compensation_strides(const layout& l, int mask) {
    inline_list<dim_t, max_digits> out;
    inline_list<int, max_digits> order;
    const auto is_inside = [&](int a, int b) {
        const digit &x = l.digits[a], &y = l.digits[b];
        return x.stride < y.stride || (x.stride == y.stride && x.extent < y.extent);
    };
    for (int k = 0; k < l.digits.size(); ++k) {
        out.push_back(0);
        if ((mask >> l.digits[k].axis & 1) == 0) continue;
        order.push_back(k);
        for (int i = order.size() - 1; i > 0 && is_inside(order[i], order[i - 1]); --i)
            std::swap(order[i], order[i - 1]);
    }
    dim_t step = 1;
    for (const int k : order) {
        out[k] = step;
        // If another extent is zero, the product may overflow, but then there are no sums.
        step = wrapping_multiply(step, l.digits[k].extent);
    }
    return out;
}
}  // namespace detail

/// Returns the layout of the compensation sums: the s32 for the element at position p is sum number
/// `compensation_layout(l, mask).offset(p)`.
///
/// The sums are ordered as the tensor is, restricted to the axes of the mask: the digits of these axes, in their order
/// in memory, with their blocks and padding, made dense. The other axes have stride 0, because all elements along them
/// are added to one sum. Values of attributes are ordered differently: row-major, by extents without padding
/// (mask_strides).
///
/// Refused: as check_static
/// Pre:     check_layout(l).ok(), mask has no bits beyond the axes
/// Post:    the offsets of the indices along the masked axes, padding included, are in the same order as in l with
///          index 0 along the other axes; element_span() == compensation_count(l, mask); for a permutation p of axes,
///          none of which shares its places with another, compensation_layout(permute_axes(l, p), permute_mask(mask,
///          p)) == permute_axes(compensation_layout(l, mask), p)
/// Cost:    O(digits squared) steps; no allocation
/// Source:  spec semantics 12; oneDNN's jit reorder, which counts its loops from the destination's innermost outwards
/// Example: for layout({17, 2, 3, 3}, "Abcd16a") and mask 3 (a and b): the offsets of layout({17, 2}, "Ab16a")
[[nodiscard]] constexpr layout compensation_layout(const layout& l, int mask) {
    require(detail::check_static(l));
    const inline_list<dim_t, max_digits> steps = detail::compensation_strides(l, mask);
    layout out;
    out.kind = format_kind::blocked;
    out.dims = l.dims;
    out.padded_dims = l.dims;
    for (int a = 0; a < l.ndims(); ++a) {
        const bool is_masked = (mask >> a & 1) != 0;
        // An axis that is only padding adds nothing to a sum, but the sum still has a place.
        const dim_t places = l.dims[a] == 0 && l.padded_dims[a] != 0 ? 1 : l.dims[a];
        out.padded_dims[a] = is_masked ? l.padded_dims[a] : places;
        out.padded_offsets.push_back(is_masked ? l.padded_offsets[a] : 0);
        out.digits.push_back({a, is_masked ? l.digits[a].extent : places, steps[a]});
    }
    for (int k = l.ndims(); k < l.digits.size(); ++k)
        if (const digit& d = l.digits[k]; (mask >> d.axis & 1) != 0) out.digits.push_back({d.axis, d.extent, steps[k]});
    return out;
}

namespace detail {
/// Returns the number of s32 in a compensation with this mask: the product of the padded extents of its axes. If an
/// axis has only a part of one block, unused places between the sums count too. The result is not ok() if it needs more
/// than 63 bits.
///
/// Pre:     check_layout(l).ok(), check_static(l).ok(), no padded extent is 0
/// Post:    compensation_layout(l, mask).element_span()
constexpr checked_integer compensation_count(const layout& l, int mask) {
    checked_integer count{1}, places{1};
    bool is_whole = true;
    for (int a = 0; a < l.ndims(); ++a) {
        if ((mask >> a & 1) == 0) continue;
        const dim_t block = l.block_size(a);
        count *= l.padded_dims[a];
        places *= block;
        places *= l.digits[a].extent;
        is_whole = is_whole && l.padded_dims[a] == block * l.digits[a].extent;
    }
    if (is_whole || !places.ok()) return is_whole ? count : places;
    return {static_cast<dim_t>(compensation_layout(l, mask).element_span())};
}

/// True if a permutation of the axes leaves each sum in its place. False only if two axes of the mask with equal
/// strides and extents, which share their places, change their order: the order of their sums depends on it.
///
/// Pre:     check_permutation(p, l.ndims()).ok()
constexpr bool keeps_compensation_order(const layout& l, int mask, const permutation& p) {
    for (int b = 0; b < l.ndims(); ++b)
        for (int a = 0; a < b; ++a) {
            if ((mask >> a & 1) == 0 || (mask >> b & 1) == 0 || p[a] < p[b]) continue;
            const digit &x = l.digits[a], &y = l.digits[b];
            const auto may_step = [](const digit& d) { return d.extent > 1 || d.extent == dynamic; };
            const bool may_be_alike = x.extent == y.extent || x.extent == dynamic || y.extent == dynamic;
            if (x.stride == y.stride && x.stride != dynamic && may_be_alike && may_step(x) && may_step(y)) return false;
        }
    return true;
}
}  // namespace detail
}  // namespace plait
