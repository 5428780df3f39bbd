#pragma once

#include <plait/algebra/index_digits.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The result of a search for a gap: a gap, or none, or (in `why`) the reason why the search cannot decide.
struct [[nodiscard]] gap_search {
    verdict why;
    std::optional<dim_t> found;
};

/// Returns the smallest offset, from that of the first element, that a view of a part of one block leaves out: that of
/// an index that the digits of the axis can express, but that is beyond its padded extent. Returns -1 if none.
///
/// Pre:     digits are fewest_digits(l, axis, padded)
constexpr dim_t smallest_left_out(const digit_list& digits, dim_t padded) {
    dim_t rest = padded;
    // The smallest offset of the digits so far, over values that are not below those of the padded extent.
    dim_t best = 0;
    for (int k = digits.size() - 1; k >= 0; --k) {
        const digit& d = digits[k];
        const dim_t value = k == 0 ? rest : rest % d.extent;
        rest /= d.extent;
        // Indices that share their places have a 0 in a digit of stride 0.
        const dim_t values = d.stride == 0 ? 1 : d.extent;
        // Either the same value here, and no less inside; or more here, and 0 inside.
        const dim_t same = best >= 0 && value < values ? value * d.stride + best : -1;
        const dim_t more = value < values - 1 ? (value + 1) * d.stride : -1;
        best = same < 0 || (more >= 0 && more < same) ? more : same;
    }
    return digits.empty() ? -1 : best;
}

/// Returns the gap of l, or that there is none, or why the search cannot decide.
///
/// Cost:    O(digits squared) steps, independent of the extents
constexpr gap_search search_gap(const layout& l) {
    // Invalid digits would overflow, or divide by zero.
    if (const verdict why = check_static_layout(l); !why.ok()) return {why, std::nullopt};
    if (!has_elements(l.padded_dims)) return {};
    digit_list reached;  // of all axes; a stride of 0 leads to no other offset
    int part = -1;       // the first axis of which the outermost digit is not full
    checked_integer end;
    dim_t begin = l.offset0;
    for (int a = 0; a < l.ndims(); ++a) {
        dim_t inside = 1;
        const digit_list digits = fewest_digits(l, a, l.padded_dims[a]);
        for (int k = 1; k < digits.size(); ++k) inside *= digits[k].extent;
        if (part < 0 && l.padded_dims[a] % inside != 0) part = a;
        for (const digit& d : digits) {
            if (d.stride == 0) continue;
            reached.push_back(d);
            add_reach(end, d.extent, step_size(d.stride));
            // A backwards axis that is reversed has the same places, unless it is a part of a block.
            if (d.stride < 0) begin = wrapping_add(begin, wrapping_multiply(d.extent - 1, d.stride));
        }
    }
    if (!end.ok() || !(checked_integer{begin} + end.value).ok())
        return {{reason::size_overflows, -1, l.offset0, 1}, std::nullopt};
    if (begin != l.offset0 && l.is_dense()) return {};
    if (begin != l.offset0 && part >= 0)
        return {
            {reason::digits_do_not_cover_axis, part, l.digits[part].extent * l.block_size(part), l.padded_dims[part]},
            std::nullopt};

    // Starts at the smallest stride. While there is no gap, the digits so far reach every offset up to `filled`.
    dim_t filled = 0;
    bool each_once = true;
    while (!reached.empty()) {
        int next = 0;
        for (int k = 1; k < reached.size(); ++k)
            if (step_size(reached[k].stride) < step_size(reached[next].stride)) next = k;
        const dim_t stride = step_size(reached[next].stride);
        if (stride - 1 > filled) return {{}, begin + filled + 1};
        each_once = each_once && stride - 1 == filled;
        filled += (reached[next].extent - 1) * stride;
        reached.erase(next);
    }
    if (begin != l.offset0) return {};
    const dim_t largest = largest_offset(l);
    dim_t gap = -1;
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t padded = l.padded_dims[a], left_out = smallest_left_out(fewest_digits(l, a, padded), padded);
        if (left_out >= 0 && left_out <= largest && (gap < 0 || left_out < gap)) gap = left_out;
    }
    if (gap < 0) return {};
    // An offset that one index leaves out may be filled by another, unless each offset belongs to one index only.
    if (!each_once) return {check_nesting(l), std::nullopt};
    return {{}, l.offset0 + gap};
}
}  // namespace detail

/// Checks that find_gap can decide. It can for every layout, except for a view of a part of one block whose strides do
/// not nest, or which runs backwards.
///
/// Refused: undefined, any and opaque layouts, and what check_layout refuses; dim_is_dynamic, stride_is_dynamic;
///          strides_do_not_nest, digits_do_not_cover_axis (not decided), size_overflows
constexpr verdict check_find_gap(const layout& l) { return detail::search_gap(l).why; }

/// Returns an offset between the first and the last place of the span that no padded element has; empty if there is
/// none.
///
/// Pre:     check_find_gap(l).ok()
/// Post:    for l with elements: l.is_dense() == (is_injective(l) && !find_gap(l))
/// Cost:    O(digits squared) steps, independent of the extents
/// Source:  spec semantics 4, whose position_of is empty at a gap
/// Example: test/algebra/find_gap.cpp
[[nodiscard]] constexpr std::optional<dim_t> find_gap(const layout& l) {
    const detail::gap_search search = detail::search_gap(l);
    require(search.why);
    return search.found;
}

}  // namespace plait
