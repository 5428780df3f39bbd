#pragma once
// The invariants of a layout, to check layouts that were assembled by hand.

#include <plait/core/layout_offset.hpp>
#include <plait/core/layout_rules.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns true if the unused places at the ends of the lists are zero, as push_back leaves them. They are part of a
/// template argument, so equal layouts must agree in them.
///
/// Pre:     check_structure(l).ok()
constexpr bool ends_clean(const layout& l) {
    if (!std::is_constant_evaluated()) {
        // Most have no bit set at all, not even between the members of a digit, which nothing sets.
        const auto is_zero = [](const auto* begin, const auto* end) {
            const auto* const bytes = reinterpret_cast<const unsigned char*>(begin);
            const auto count = static_cast<std::size_t>(reinterpret_cast<const unsigned char*>(end) - bytes);
            return count == 0 || (bytes[0] == 0 && __builtin_memcmp(bytes, bytes + 1, count - 1) == 0);
        };
        const auto is_zero_from = [&](const auto& list) {
            return is_zero(list.values + list.count, list.values + list.capacity());
        };
        if (is_zero_from(l.dims) && is_zero_from(l.padded_dims) && is_zero_from(l.padded_offsets) &&
            is_zero_from(l.digits))
            return true;
    }
    dim_t bits = 0;  // of all of them: one branch each would cost more than the loads
    for (int a = l.dims.count; a < max_ndims; ++a)
        bits |= l.dims.values[a] | l.padded_dims.values[a] | l.padded_offsets.values[a];
    for (int k = l.digits.count; k < max_digits; ++k) {
        const digit& d = l.digits.values[k];
        bits |= d.axis | d.extent | d.stride;
    }
    return bits == 0;
}

/// Checks that the digits of one axis cover its padded extent, and that the padded extent covers the logical one.
///
/// Pre:     check_structure(l).ok(); block is the product of the inner blocks of the axis
constexpr verdict check_axis(const layout& l, int axis, dim_t block) {
    const dim_t extent = l.dims.values[axis], padded = l.padded_dims.values[axis];
    const dim_t begin = l.padded_offsets.values[axis], outer = l.digits.values[axis].extent;
    if (extent < 0 && extent != dynamic) return {reason::dim_is_negative, axis, extent, 0};
    if (const dim_t stride = l.digits.values[axis].stride; is_outside(stride)) {
        // A stride that follows from known numbers must be a number. Links are not required to nest.
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

/// Checks that the digits nest: sorted by stride, each digit steps past the last offset of the digits inside it, so no
/// two elements share an offset. Strides of 0, unknown strides, and digits with fewer than two values are not checked.
///
/// Refused: strides_do_not_nest (the stride, and the least that would nest), stride_is_negative, size_overflows
/// Source:  seeds spec-memory-formats
constexpr verdict check_nesting(const layout& l) {
    if (const verdict why = check_bounds(l); !why.ok()) return why;
    // Sorts the digits that have a step, innermost first. Insertion sort, because the compiler runs this for every
    // layout.
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

/// Returns l with its dynamic parts removed: dynamic extents become 1, unknown strides become 0.
constexpr layout known_part(const layout& l) {
    layout known = l;
    for (digit& d : known.digits)
        if (!is_known(d.stride)) d.stride = 0;
    for (dim_t& extent : known.padded_dims)
        if (extent == dynamic) extent = 1;
    return known;
}

/// Returns the largest offset, from offset0, of the known part of l.
///
/// Pre:     check_structure(l).ok()
constexpr dim_t largest_known_offset(const layout& l) { return largest_offset(l.is_dynamic() ? known_part(l) : l); }

/// Returns the verdict of check_reach, and how far the digits reach.
constexpr digits_reach reach_of(const layout& l) {
    // Two layouts may each have valid blocks whose product overflows when combined.
    dim_t inner = 1;
    for (int k = l.dims.count; k < l.digits.count; ++k)
        if (multiply_overflows(inner, l.digits.values[k].extent, inner))
            return {{reason::size_overflows, l.digits.values[k].axis, l.digits.values[k].extent, 0}};
    if (const verdict why = check_volume(l.padded_dims); !why.ok()) return {why};
    digits_reach reach = reach_from_offset0(l);
    // Near offset 0 and near 2^63, the bounds of the digits are too coarse for a part of one block: compute exactly.
    if (reach.begin < 0 && (l.offset0 < 0 || l.offset0 + reach.begin < 0)) {
        const dim_t least = reach_in_front(known_part(l));
        if (l.offset0 < least) reach.why = reaches_in_front(l, least);
    }
    if (reach.why.ok() && l.offset0 > INT64_MAX - reach.end && l.offset0 > INT64_MAX - largest_known_offset(l))
        reach.why = {reason::size_overflows, -1, l.offset0, 1};
    return reach;
}

/// Checks that the offsets of l are bounded. An operation on valid layouts has only this left to check of its result.
/// Fails with stride_is_negative or size_overflows.
///
/// Pre:     the digits of l cover its axes
constexpr verdict check_reach(const layout& l) { return reach_of(l).why; }

/// Returns the element span of a layout, given how far its digits reach.
///
/// Pre:     check_static(l).ok(), reach_of(l).why.ok(); reach is reach_of(l)
/// Post:    l.element_span()
constexpr dim_t span_of(const layout& l, const digits_reach& reach) {
    dim_t indices = 1;
    for (int a = 0; a < l.dims.count; ++a) indices *= l.padded_dims.values[a];
    if (indices == 0) return 0;
    // The digits of a part of one block have more values than the part has indices.
    checked_integer counted{1};
    for (int k = 0; k < l.digits.count; ++k) counted *= l.digits.values[k].extent;
    return counted.ok() && counted.value == indices ? reach.end - reach.begin
                                                    : largest_offset(l) + reach_in_front(l) + 1;
}

/// Returns the first place of a layout, given how far its digits reach.
///
/// Pre:     as span_of
/// Post:    l.span_begin()
constexpr dim_t begin_of(const layout& l, const digits_reach& reach) {
    return reach.begin == 0 ? l.offset0 : l.offset0 - reach_in_front(l);
}

/// Returns the offset one past the last place of a layout, given how far its digits reach; 0 without elements.
///
/// Pre:     as span_of
/// Post:    l.span_begin() + l.element_span(), or 0
constexpr dim_t end_of(const layout& l, const digits_reach& reach) {
    const dim_t span = span_of(l, reach);
    return span == 0 ? 0 : begin_of(l, reach) + span;
}

/// Returns the verdict of check_layout for a blocked layout, and how far its digits reach.
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

/// Checks a layout that describes no memory.
///
/// Pre:     l.kind is undef or any
constexpr verdict check_placeless(const layout& l) {
    const int n = l.dims.count;
    if (l.kind == format_kind::undef) return l == layout() ? verdict{} : verdict{reason::layout_is_malformed, -1, n, 0};
    // Must equal, field by field, what the constructor makes of these dims.
    if (n < 0 || n > max_ndims) return {reason::layout_is_malformed, -1, n, max_ndims};
    format_tag any;
    any.kind = format_kind::any;
    const expected<layout> attempt = make_layout(l.dims, any);
    if (!attempt) return attempt.error();
    return l == *attempt ? verdict{} : verdict{reason::layout_is_malformed, -1, l.digits.count, 0};
}
/// Returns true if a layout has no digits, because its format is undefined or any.
constexpr bool is_placeless(const layout& l) { return l.kind == format_kind::undef || l.kind == format_kind::any; }
}  // namespace detail

/// Checks the invariants of a layout that was assembled by hand. Every layout that plait makes satisfies them.
///
/// Pre:     none; l may hold any bytes
/// Refused: layout_is_malformed (counts, axes, order of digits), dim_is_negative, padded_dim_does_not_fit,
///          digits_do_not_cover_axis, stride_is_negative, size_overflows; also opaque and unknown kinds
/// Post:    if ok, no function of plait overflows 63 bits on l
/// Cost:    O(digits squared) steps
/// Source:  spec semantics 1
/// Example: test/core/layout_invariants.cpp
constexpr verdict check_layout(const layout& l) {
    return detail::is_placeless(l) ? detail::check_placeless(l) : detail::check_digits(l).why;
}

namespace detail {
/// Checks a layout for operations that need digits. Also fails if it is undefined or any.
constexpr verdict check_blocked_layout(const layout& l) {
    return is_placeless(l) ? check_blocked(l) : check_digits(l).why;
}

/// Checks a layout for operations that need every number: fails also if an extent or a stride is dynamic.
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
