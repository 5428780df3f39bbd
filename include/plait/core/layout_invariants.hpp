#pragma once
// The invariants of a layout, for those that were put together by hand.

#include <plait/core/layout_offset.hpp>
#include <plait/core/layout_rules.hpp>

namespace plait {
namespace detail {
/// Whether the places behind the ends of the lists are empty, as in lists that were only pushed to: they are part of a
/// template argument.
///
/// Pre:     check_structure(l).ok()
constexpr bool ends_clean(const layout& l) {
    dim_t bits = 0;  // of all of them: a branch for each costs more than the loads
    for (int a = l.dims.count; a < max_ndims; ++a)
        bits |= l.dims.values[a] | l.padded_dims.values[a] | l.padded_offsets.values[a];
    for (int k = l.digits.count; k < max_digits; ++k) {
        const digit& d = l.digits.values[k];
        bits |= d.axis | d.extent | d.stride;
    }
    return bits == 0;
}

/// Whether the digits of one axis cover its padded extent, and that its logical one.
///
/// Pre:     check_structure(l).ok(); block is the product of the axis's inner blocks
constexpr verdict check_axis(const layout& l, int axis, dim_t block) {
    const dim_t extent = l.dims.values[axis], padded = l.padded_dims.values[axis];
    const dim_t begin = l.padded_offsets.values[axis], outer = l.digits.values[axis].extent;
    if (extent < 0 && extent != dynamic) return {reason::dim_is_negative, axis, extent, 0};
    if (const dim_t stride = l.digits.values[axis].stride; is_outside(stride)) {
        // What follows from known numbers has to be a number: a link is not held to nest.
        const digit& inner = l.digits.values[axis_inside(stride)];
        if (inner.extent != dynamic && is_known(inner.stride))
            return {reason::layout_is_malformed, axis, stride, inner.stride};
    }
    if ((extent == dynamic) != (padded == dynamic)) return {reason::padded_dim_does_not_fit, axis, padded, extent};
    if ((extent == dynamic) != (outer == dynamic)) return {reason::digits_do_not_cover_axis, axis, outer, padded};
    if (extent == dynamic)
        return begin == 0 ? verdict{} : verdict{reason::padded_dim_does_not_fit, axis, padded, begin};
    if (begin < 0 || begin > padded || padded - begin < extent)
        return {reason::padded_dim_does_not_fit, axis, padded, extent};
    const bool part_of_a_block = block > 1 && padded == extent && padded <= block;
    if (block != 1 && padded % block != 0 && !part_of_a_block)
        return {reason::padded_dim_does_not_fit, axis, padded, block};
    dim_t covered = 0;
    if (multiply_overflows(block, outer, covered)) return {reason::size_overflows, axis, block, outer};
    if (covered != padded && !(part_of_a_block && covered == block))
        return {reason::digits_do_not_cover_axis, axis, covered, padded};
    return {};
}

/// Whether the digits nest: sorted by how far they step, each lies beyond the last offset inside it, so no two elements
/// share a place. Strides of 0, or not known yet, do not count, nor do those of digits of one value or none.
///
/// Refused: strides_do_not_nest (the stride, and the least that would do), stride_is_negative, size_overflows
/// Source:  seeds spec-memory-formats
constexpr verdict check_nesting(const layout& l) {
    if (const verdict why = check_bounds(l); !why.ok()) return why;
    // Those that step, innermost in memory first: put in place one by one, for the compiler does this for every layout.
    const digit* digits = l.digits.values;
    int order[max_digits]{};
    int count = 0;
    for (int k = l.digits.count - 1; k >= 0; --k) {
        const digit& d = digits[k];
        if (d.stride == 0 || !is_known(d.stride) || d.extent < 2) continue;
        const dim_t step = step_size(d.stride);
        int at = count++;
        for (; at > 0; --at) {
            const digit& inner = digits[order[at - 1]];
            const dim_t other = step_size(inner.stride);
            if (other < step || (other == step && inner.extent < d.extent)) break;
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
    dim_t least = 1;
    for (int i = 0; i < count; ++i) {
        const digit& d = digits[order[i]];
        const dim_t step = step_size(d.stride);
        if (step < least) return {reason::strides_do_not_nest, d.axis, d.stride, d.stride < 0 ? -least : least};
        least += (d.extent - 1) * step;
    }
    return {};
}

/// Returns l with what is known of it already: extents and strides that are dynamic count as nothing.
constexpr layout known_part(const layout& l) {
    layout known = l;
    for (digit& d : known.digits)
        if (!is_known(d.stride)) d.stride = 0;
    for (dim_t& extent : known.padded_dims)
        if (extent == dynamic) extent = 1;
    return known;
}

/// The largest offset of what is known already, from offset0: what is dynamic counts as nothing.
///
/// Pre:     check_structure(l).ok()
constexpr dim_t largest_known_offset(const layout& l) { return largest_offset(l.is_dynamic() ? known_part(l) : l); }

/// check_reach, and how far the digits reach.
constexpr digits_reach reach_of(const layout& l) {
    // Blocks that fit in two layouts need not fit together.
    dim_t inner = 1;
    for (int k = l.dims.count; k < l.digits.count; ++k)
        if (multiply_overflows(inner, l.digits.values[k].extent, inner))
            return {{reason::size_overflows, l.digits.values[k].axis, l.digits.values[k].extent, 0}};
    if (const verdict why = check_volume(l.padded_dims); !why.ok()) return {why};
    digits_reach reach = reach_from_offset0(l);
    // Near the ends of memory and of 63 bits a part of one block has to be looked at more closely.
    if (reach.begin < 0 && (l.offset0 < 0 || l.offset0 + reach.begin < 0)) {
        const dim_t least = reach_in_front(known_part(l));
        if (l.offset0 < least) reach.why = reaches_in_front(l, least);
    }
    if (reach.why.ok() && l.offset0 > INT64_MAX - reach.end && l.offset0 > INT64_MAX - largest_known_offset(l))
        reach.why = {reason::size_overflows, -1, l.offset0, 1};
    return reach;
}

/// Whether the offsets of l are bounded: what is left to check of a layout that an operation made from valid ones.
/// Refused: stride_is_negative, size_overflows.
///
/// Pre:     the digits of l cover its axes
constexpr verdict check_reach(const layout& l) { return reach_of(l).why; }

/// The span of a layout, from how far its digits reach.
///
/// Pre:     check_static(l).ok(), reach_of(l).why.ok(); reach is reach_of(l)
/// Post:    l.element_span()
constexpr dim_t span_of(const layout& l, const digits_reach& reach) {
    dim_t indices = 1;
    for (int a = 0; a < l.dims.count; ++a) indices *= l.padded_dims.values[a];
    if (indices == 0) return 0;
    // The digits of a part of one block count further than its indices.
    checked_integer counted{1};
    for (int k = 0; k < l.digits.count; ++k) counted *= l.digits.values[k].extent;
    return counted.ok() && counted.value == indices ? reach.end - reach.begin
                                                    : largest_offset(l) + reach_in_front(l) + 1;
}

/// check_layout of one that is blocked, and how far its digits reach.
///
/// Pre:     l.kind is neither undef nor any
constexpr digits_reach check_digits(const layout& l) {
    const int n = l.dims.count;
    if (const verdict why = check_blocked(l); !why.ok()) return {why};
    if (!ends_clean(l)) return {{reason::layout_is_malformed, -1, n, n}};
    if (l.offset0 < 0) return {{reason::layout_is_malformed, -1, l.offset0, 0}};
    dim_t block[max_ndims]{};
    for (int a = 0; a < n; ++a) block[a] = 1;
    for (int k = n; k < l.digits.count; ++k) {
        const digit& d = l.digits.values[k];
        if (!is_known(d.stride)) return {{reason::layout_is_malformed, d.axis, d.stride, 0}};
        block[d.axis] *= d.extent;
    }
    for (int a = 0; a < n; ++a)
        if (const verdict why = check_axis(l, a, block[a]); !why.ok()) return {why};
    return reach_of(l);
}

/// check_layout of one that describes no memory.
///
/// Pre:     l.kind is undef or any
constexpr verdict check_placeless(const layout& l) {
    const int n = l.dims.count;
    if (l.kind == format_kind::undef) return l == layout() ? verdict{} : verdict{reason::layout_is_malformed, -1, n, 0};
    // What the constructor makes of these dims, field by field.
    if (n < 0 || n > max_ndims) return {reason::layout_is_malformed, -1, n, max_ndims};
    format_tag any;
    any.kind = format_kind::any;
    const expected<layout> attempt = make_layout(l.dims, any);
    if (!attempt.why.ok()) return attempt.why;
    return l == attempt.made ? verdict{} : verdict{reason::layout_is_malformed, -1, l.digits.count, 0};
}
/// Whether a layout has no digits, as its format is undefined, or any.
constexpr bool is_placeless(const layout& l) { return l.kind == format_kind::undef || l.kind == format_kind::any; }
}  // namespace detail

/// The invariants of a layout, for those put together by hand: every layout that plait makes has them.
///
/// Pre:     none; any bytes of a layout
/// Refused: layout_is_malformed (counts, axes, order of digits), dim_is_negative, padded_dim_does_not_fit,
/// digits_do_not_cover_axis, stride_is_negative, size_overflows; opaque and unknown kinds.
/// Post:    if ok, no function of plait leaves the range of 63 bits on l
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 1
/// Example: test/core/layout_invariants.cpp
constexpr verdict check_layout(const layout& l) {
    return detail::is_placeless(l) ? detail::check_placeless(l) : detail::check_digits(l).why;
}

namespace detail {
/// check_layout for operations that need digits: undefined and any layouts are refused too.
constexpr verdict check_blocked_layout(const layout& l) {
    return is_placeless(l) ? check_blocked(l) : check_digits(l).why;
}

/// check_layout for operations that need every number: check_static, and nothing of l leaves 63 bits.
constexpr verdict check_static_layout(const layout& l) {
    if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
    for (int a = 0; a < l.dims.count; ++a)
        if (l.dims.values[a] == dynamic) return {reason::dim_is_dynamic, a, 0, 0};
    for (int a = 0; a < l.dims.count; ++a)
        if (!is_known(l.digits.values[a].stride)) return {reason::stride_is_dynamic, a, 0, 0};
    return {};
}
}  // namespace detail
}  // namespace plait
