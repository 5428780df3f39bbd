#pragma once

#include <plait/core/layout.hpp>

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
/// Pre:     values are reached_extents(l), with 1 for digits of stride 0: existing indices have a 0 in those
constexpr dim_t smallest_left_out(const layout& l, int axis, const inline_list<dim_t, max_digits>& values) {
    dim_t rest = l.padded_dims[axis];
    // The smallest offset of the digits so far, over values that are not below those of the padded extent.
    dim_t best = 0;
    for (int k = l.digits.size() - 1; k >= 0; --k) {
        const digit& d = l.digits[k];
        if (d.axis != axis) continue;
        const dim_t value = k < l.ndims() ? rest : rest % d.extent;
        if (k >= l.ndims()) rest /= d.extent;
        // Either the same value here, and no less inside; or more here, and 0 inside.
        const dim_t same = best >= 0 && value < values[k] ? value * d.stride + best : -1;
        const dim_t more = value < values[k] - 1 ? (value + 1) * d.stride : -1;
        best = same < 0 || (more >= 0 && more < same) ? more : same;
    }
    return best;
}

/// Returns an axis whose digits have more values than its padded extent, e.g. of a part of one block that ends inside a
/// digit; -1 if there is none.
///
/// Pre:     check_static_layout(l).ok()
constexpr int part_of_digits(const layout& l) {
    const inline_list<dim_t, max_digits> values = reached_extents(l);
    for (int a = 0; a < l.ndims(); ++a) {
        checked_integer counted{values[a]};
        for (int k = l.ndims(); k < l.digits.size(); ++k)
            if (l.digits[k].axis == a) counted *= values[k];
        if (!counted.ok() || counted.value != l.padded_dims[a]) return a;
    }
    return -1;
}

/// Returns the gap of l, or that there is none, or why the search cannot decide.
///
/// Cost:    O(digits squared) steps, independent of the extents
constexpr gap_search search_gap(const layout& l) {
    // Invalid digits would overflow, or divide by zero.
    if (const verdict why = check_static_layout(l); !why.ok()) return {why, std::nullopt};
    if (!has_elements(l.padded_dims)) return {};
    inline_list<dim_t, max_digits> values = reached_extents(l);
    // A backwards axis that is reversed has the same places, unless it is a part of a block.
    checked_integer end;
    dim_t begin = l.offset0;
    for (int k = 0; k < l.digits.size(); ++k) {
        const digit& d = l.digits[k];
        if (d.stride == 0) values[k] = 1;
        if (values[k] > 1) add_reach(end, values[k], step_size(d.stride));
        if (values[k] > 1 && d.stride < 0) begin = wrapping_add(begin, wrapping_multiply(values[k] - 1, d.stride));
    }
    if (!end.ok() || !(checked_integer{begin} + end.value).ok())
        return {{reason::size_overflows, -1, l.offset0, 1}, std::nullopt};
    if (begin != l.offset0 && l.is_dense()) return {};
    if (const int a = begin == l.offset0 ? -1 : part_of_digits(l); a >= 0)
        return {{reason::digits_do_not_cover_axis, a, l.digits[a].extent * l.block_size(a), l.padded_dims[a]},
                std::nullopt};

    // Starts at the smallest stride. While there is no gap, the digits so far reach every offset up to `filled`.
    dim_t filled = 0;
    bool each_once = true;
    unsigned done = 0;
    for (int round = 0; round < l.digits.size(); ++round) {
        int next = -1;
        for (int k = 0; k < l.digits.size(); ++k)
            if (values[k] > 1 && (done >> k & 1u) == 0 &&
                (next < 0 || step_size(l.digits[k].stride) < step_size(l.digits[next].stride)))
                next = k;
        if (next < 0) break;
        done |= 1u << next;
        const dim_t stride = step_size(l.digits[next].stride);
        if (stride - 1 > filled) return {{}, begin + filled + 1};
        each_once = each_once && stride - 1 == filled;
        filled += (values[next] - 1) * stride;
    }
    if (begin != l.offset0) return {};
    const dim_t largest = largest_offset(l);
    dim_t gap = -1;
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t left_out = smallest_left_out(l, a, values);
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
