#pragma once
// Maps the axes of a layout to those of a new shape: the groups of the RFC.

#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Neighbouring axes first..last-1 of a layout that become the axes to_first..to_last-1 of a new shape.
///
/// One to one: the axis is kept. One to none: an axis of one element is removed. None to one: such an axis is added.
struct axis_group {
    int first = 0, last = 0;
    int to_first = 0, to_last = 0;
    constexpr int size() const { return last - first; }
    constexpr int to_size() const { return to_last - to_first; }
    constexpr bool keeps_axis() const { return size() == 1 && to_size() == 1; }
};
/// The groups of a reshape, from the last axes to the first.
using axis_groups = inline_list<axis_group, 2 * max_ndims>;

/// The groups of a reshape, from the last axis to the first, or why there are none.
struct [[nodiscard]] axis_grouping {
    axis_groups groups;
    verdict why;
};

/// The contents that a changed group may have, in addition to plain axes that chain in their order.
struct regroup_rules {
    bool through_blocks = false;  ///< any digits, wherever they are in memory: view
    bool any_order = false;       ///< any order in memory, if it is one contiguous chunk
    bool match_padding = false;   ///< count padded extents instead of logical ones
    constexpr bool plain_axes_only() const { return !through_blocks && !any_order && !match_padding; }
};

/// Returns true if the axis has a single place, without padding or inner blocks, so that it can be added or removed.
constexpr bool is_single_place(const layout& l, int axis) {
    return l.dims.values[axis] == 1 && l.padded_dims.values[axis] == 1 && l.block_size(axis) == 1;
}

/// Returns true if the result has an axis of one element for axis range.last - 1, in addition to those needed by the
/// padded axes of one element further to the left.
constexpr bool has_place_for_part(const layout& l, const dims& to, const axis_group& range) {
    int places = 0, needed = 0;
    for (int b = range.to_last - 1; b >= range.to_first && to.values[b] == 1; --b) ++places;
    for (int a = range.last - 2; a >= range.first && l.dims.values[a] == 1; --a) needed += l.padded_dims.values[a] != 1;
    return places > needed;
}

/// Adds the groups of the axes first..last-1 and of the extents to_first..to_last-1 of `to`. They are minimal,
/// disjoint, have equal products, and are found from the last axis to the first.
///
/// - An axis of one element is a separate group, unless it is inside another group.
/// - One with padding or an inner block is paired with an extent of 1 in the same place. If none is left, it is removed
///   if it is a part of one block and the rules look through blocks.
/// - A dynamic extent is paired with a dynamic one, a zero with a zero.
/// - With match_padding, a changed group counts padded extents.
///
/// Refused: volumes_differ, zero_extent_is_not_matched, dim_is_dynamic, unit_axis_is_padded, size_overflows
/// Pre:     check_blocked(l).ok(); no extent of `to` is negative, except `dynamic`; groups has space for them
/// Post:    each axis of the range, of l and of `to`, is in one group; in each changed group the extents of both sides
///          have one product; on failure, groups may contain some of them
/// Cost:    O(ndims times digits) steps
/// Source:  seeds rfc-memory-descriptor-operations, 3.1.3
/// Example: of layout({2, 3, 4, 5}, "abcd") and {6, 2, 10}: axes 2 and 3 become 1 and 2, then axes 0 and 1 become 0
constexpr verdict add_groups(axis_groups& groups, const layout& l, const dims& to, axis_group range,
                             const regroup_rules& rules) {
    // Plain arrays, because the compiler does this for every layout.
    const dim_t *have = l.dims.values, *want = to.values, *counted = rules.match_padding ? l.padded_dims.values : have;
    const auto may_go = [&](int a) {
        return is_single_place(l, a) || (!rules.plain_axes_only() && have[a] == 1 && l.padded_dims.values[a] == 1);
    };
    int in = range.last, out = range.to_last;
    while (in > range.first || out > range.to_first) {
        const bool has_in = in > range.first, has_out = out > range.to_first;
        const int a = in - 1, b = out - 1;
        if (has_in && may_go(a) &&
            (is_single_place(l, a) || !has_place_for_part(l, to, {range.first, in, range.to_first, out}))) {
            groups.push_back({a, in, out, out});
            --in;
            continue;
        }
        if (has_in && has_out && have[a] == want[b]) {
            groups.push_back({a, in, b, out});
            --in, --out;
            continue;
        }
        if (has_in && counted[a] == 1) return {reason::unit_axis_is_padded, a, l.padded_dims[a], l.block_size(a)};
        if (has_out && want[b] == 1) {
            groups.push_back({in, in, b, out});
            --out;
            continue;
        }
        if (!has_in || !has_out) {
            const dim_t before = has_in ? counted[a] : 1, after = has_out ? want[b] : 1;
            const bool unknown = before == dynamic || after == dynamic;
            return {unknown ? reason::dim_is_dynamic : reason::volumes_differ, unknown ? has_in ? a : b : -1, before,
                    after};
        }
        // Extend the side with fewer elements to the left, until both have the same number.
        axis_group group{in, in, out, out};
        dim_t elements = 1, wanted = 1;
        do {
            const bool grow_in = elements <= wanted, grow_out = wanted <= elements;
            if ((grow_in && group.first == range.first) || (grow_out && group.to_first == range.to_first))
                return {reason::volumes_differ, -1, elements, wanted};
            group.first -= grow_in;
            group.to_first -= grow_out;
            const int axis = grow_in ? group.first : a;
            const dim_t extent = grow_in ? counted[axis] : 1, next = grow_out ? want[group.to_first] : 1;
            if (extent == dynamic || next == dynamic) return {reason::dim_is_dynamic, axis, extent, next};
            if (extent < 1 || next < 1) return {reason::zero_extent_is_not_matched, axis, extent, next};
            if (extent == 1 && grow_in && !may_go(axis))
                return {reason::unit_axis_is_padded, axis, l.padded_dims[axis], l.block_size(axis)};
            if (multiply_overflows(elements, extent, elements) || multiply_overflows(wanted, next, wanted))
                return {reason::size_overflows, axis, extent, next};
        } while (elements != wanted);
        groups.push_back(group);
        in = group.first;
        out = group.to_first;
    }
    return {};
}

/// Maps links between axes to the result: outside(a) of l becomes a link to an axis of the result.
struct axis_links {
    int to[max_ndims]{};    ///< the axis of the result that continues axis a; -1 if there is none
    int near[max_ndims]{};  ///< an axis of the result that axis a has become a part of

    /// Returns the stride of a digit of the result, given the digit of l.
    constexpr dim_t renumbered(const layout& l, const digit& d) const {
        dim_t stride = d.stride;
        for (int round = 0; round < max_ndims && is_outside(stride); ++round) {
            const int inner = axis_inside(stride);
            if (to[inner] >= 0) return outside(to[inner]);
            // A link to a removed axis of one place is replaced by the stride of that axis.
            if (l.digits[inner].extent != 1) {
                // The link is to the middle of a joined axis. A digit of one value can also be outside all of it.
                return d.extent == 1 && near[inner] >= 0 ? outside(near[inner]) : dynamic;
            }
            stride = l.digits[inner].stride;
        }
        return is_outside(stride) ? dynamic : stride;
    }
};

/// Where the axes of a layout are in the result, according to the groups.
struct axis_targets {
    int kept[max_ndims]{};  ///< the axis of the result that equals this axis; -1 if a group changes it
    axis_links links;
    unsigned new_units = 0;  ///< axes of one element of the result that a changed group has made, as bits

    constexpr axis_targets(const layout& l, const dims& to, const axis_groups& groups) {
        for (int a = 0; a < l.dims.count; ++a) kept[a] = links.to[a] = links.near[a] = -1;
        for (const axis_group& group : groups) {
            int a = group.first, b = group.to_first;
            if (group.keeps_axis()) {
                kept[a] = links.to[a] = links.near[a] = b;
                continue;
            }
            for (int k = b; k < group.to_last; ++k)
                if (to.values[k] == 1) new_units |= 1u << k;
            while (a < group.last && l.dims.values[a] == 1 && l.padded_dims.values[a] == 1) ++a;
            while (b < group.to_last && to.values[b] == 1) ++b;
            if (a < group.last && b < group.to_last && l.digits.values[a].extent != 1) links.to[a] = b;
            for (int k = group.first; k < group.last && b < group.to_last; ++k) links.near[k] = b;
        }
    }
};

}  // namespace plait::detail
