#pragma once
// The invariants of a layout, for those that were put together by hand.

#include <plait/core/layout_offset.hpp>
#include <plait/core/layout_rules.hpp>

namespace plait {

/// Whether the places behind a list's end are empty, as in every list that was only pushed to: they are part of a
/// template argument.
template <class T, int Capacity>
constexpr bool ends_clean(const inline_list<T, Capacity>& list) {
    for (int i = list.size(); i < Capacity; ++i)
        if (!(list.values[i] == T{})) return false;
    return true;
}

/// The largest offset of what is known already, from offset0: what is dynamic counts as nothing.
///
/// Pre:     check_structure(l).ok()
constexpr dim_t largest_known_offset(const layout& l) {
    if (!l.is_dynamic()) return largest_offset(l);
    layout known = l;
    for (digit& d : known.digits)
        if (!is_known(d.stride)) d.stride = 0;
    for (dim_t& extent : known.padded_dims)
        if (extent == dynamic) extent = 1;
    return largest_offset(known);
}

/// The invariants of a layout, for those put together by hand: every layout that plait makes has them.
///
/// Refused: layout_is_malformed (counts, axes, order of digits), dim_is_negative, padded_dim_does_not_fit,
/// digits_do_not_cover_axis, strides_do_not_nest, size_overflows; opaque and unknown kinds.
/// Post:    if ok, no function of plait leaves the range of 63 bits on l
constexpr verdict check_layout(const layout& l) {
    const int n = l.dims.count;
    if (l.kind == format_kind::undef) return l == layout() ? verdict{} : verdict{reason::layout_is_malformed, -1, n, 0};
    if (l.kind == format_kind::any) {
        // What the constructor makes of these dims, field by field.
        if (n < 0 || n > max_ndims) return {reason::layout_is_malformed, -1, n, max_ndims};
        format_tag any;
        any.kind = format_kind::any;
        const layout_attempt attempt = make_layout(l.dims, any);
        if (!attempt.why.ok()) return attempt.why;
        return l == attempt.made ? verdict{} : verdict{reason::layout_is_malformed, -1, l.digits.count, 0};
    }
    if (const verdict why = check_blocked(l); !why.ok()) return why;
    if (!ends_clean(l.dims) || !ends_clean(l.padded_dims) || !ends_clean(l.padded_offsets) || !ends_clean(l.digits))
        return {reason::layout_is_malformed, -1, n, n};
    if (l.offset0 < 0) return {reason::layout_is_malformed, -1, l.offset0, 0};
    for (int k = n; k < l.digits.count; ++k)
        if (l.digits[k].stride < 0) return {reason::layout_is_malformed, l.digits[k].axis, l.digits[k].stride, 0};
    for (int a = 0; a < n; ++a) {
        const dim_t extent = l.dims[a], padded = l.padded_dims[a], block = l.block_size(a);
        if (extent < 0 && extent != dynamic) return {reason::dim_is_negative, a, extent, 0};
        if (const dim_t stride = l.digits[a].stride; is_outside(stride)) {
            // What follows from known numbers has to be a number: a link is not held to nest.
            const digit& inner = l.digits[axis_inside(stride)];
            if (inner.extent != dynamic && is_known(inner.stride))
                return {reason::layout_is_malformed, a, stride, inner.stride};
        }
        if ((extent == dynamic) != (padded == dynamic)) return {reason::padded_dim_does_not_fit, a, padded, extent};
        if ((extent == dynamic) != (l.digits[a].extent == dynamic))
            return {reason::digits_do_not_cover_axis, a, l.digits[a].extent, padded};
        if (extent == dynamic) {
            if (l.padded_offsets[a] != 0) return {reason::padded_dim_does_not_fit, a, padded, l.padded_offsets[a]};
            continue;
        }
        if (l.padded_offsets[a] < 0 || l.padded_offsets[a] > padded || padded - l.padded_offsets[a] < extent)
            return {reason::padded_dim_does_not_fit, a, padded, extent};
        const bool part_of_a_block = block > 1 && padded == extent && padded <= block;
        if (padded % block != 0 && !part_of_a_block) return {reason::padded_dim_does_not_fit, a, padded, block};
        const checked_integer covered = checked_integer{block} * l.digits[a].extent;
        if (!covered.ok()) return {reason::size_overflows, a, block, l.digits[a].extent};
        if (covered.value != padded && !(part_of_a_block && covered.value == block))
            return {reason::digits_do_not_cover_axis, a, covered.value, padded};
    }
    if (const verdict why = check_volume(l.padded_dims); !why.ok()) return why;
    if (const verdict why = check_nesting(l); !why.ok()) return why;
    const checked_integer end = checked_integer{l.offset0} + largest_known_offset(l);
    return end.ok() ? verdict{} : verdict{reason::size_overflows, -1, l.offset0, 1};
}

}  // namespace plait
