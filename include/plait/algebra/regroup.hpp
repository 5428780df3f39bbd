#pragma once
// The base of reshape, view, extended_reshape, join_axes and split_axis: rebuilds the digits for a new grouping of
// axes, or returns why that fails. Each operation chooses groups and what it allows.
//
// It works on digits, not on the jumps of places (core/places.hpp): an extent may be dynamic, and a stride may be a
// link to another axis, of which a jump knows nothing. Digits that append_merged has merged are as unique as jumps.

#include <plait/algebra/index_digits.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

// The groups of the RFC: which axes of a layout become which axes of a new shape.

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
    int to[max_ndims]{};      ///< the axis of the result that continues axis a; -1 if there is none
    int beside[max_ndims]{};  ///< an axis of the result that axis a has become a part of

    /// Returns the stride of a digit of the result, given the digit of l.
    constexpr dim_t renumbered(const layout& l, const digit& d) const {
        dim_t stride = d.stride;
        for (int round = 0; round < max_ndims && is_outside(stride); ++round) {
            const int inner = axis_inside(stride);
            if (to[inner] >= 0) return outside(to[inner]);
            // A link to a removed axis of one place is replaced by the stride of that axis.
            if (l.digits[inner].extent != 1) {
                // The link is to the middle of a joined axis. A digit of one value can also be outside all of it.
                return d.extent == 1 && beside[inner] >= 0 ? outside(beside[inner]) : dynamic;
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
        for (int a = 0; a < l.dims.count; ++a) kept[a] = links.to[a] = links.beside[a] = -1;
        for (const axis_group& group : groups) {
            int a = group.first, b = group.to_first;
            if (group.keeps_axis()) {
                kept[a] = links.to[a] = links.beside[a] = b;
                continue;
            }
            for (int k = b; k < group.to_last; ++k)
                if (to.values[k] == 1) new_units |= 1u << k;
            while (a < group.last && l.dims.values[a] == 1 && l.padded_dims.values[a] == 1) ++a;
            while (b < group.to_last && to.values[b] == 1) ++b;
            if (a < group.last && b < group.to_last && l.digits.values[a].extent != 1) links.to[a] = b;
            for (int k = group.first; k < group.last && b < group.to_last; ++k) links.beside[k] = b;
        }
    }
};

/// Returns true if, by its link, `outer` is directly outside the outermost digit of axis `inner`.
constexpr bool links_over(const layout& l, const digit& outer, int inner) {
    dim_t stride = outer.stride;
    for (int round = 0; round < l.ndims() && is_outside(stride); ++round) {
        if (axis_inside(stride) == inner) return true;
        if (l.digits[axis_inside(stride)].extent != 1) return false;
        stride = l.digits[axis_inside(stride)].stride;
    }
    return false;
}

/// Returns the digits of the row-major number over the axes of a group, merged if possible.
///
/// Refused: axis_is_blocked, axis_is_padded; size_overflows
constexpr digits_taken digits_of_group(const layout& l, const axis_group& group, const regroup_rules& rules) {
    digits_taken out;
    for (int a = group.first; a < group.last; ++a) {
        if (is_single_place(l, a)) continue;
        const digit& d = l.digits.values[a];
        const dim_t padded = l.padded_dims.values[a], extent = rules.match_padding ? padded : l.dims.values[a];
        const dim_t block = l.block_size(a), outer = d.extent;
        if (block > 1 && rules.plain_axes_only()) return {{}, {reason::axis_is_blocked, a, block, extent}};
        if (padded != extent || l.padded_offsets.values[a] != 0)
            return {{}, {reason::axis_is_padded, a, padded, extent}};
        if (is_part_of_block(l, a)) {
            // Values that no index reaches do not count, unless they are between the elements.
            const digit_list reached = fewest_digits(l, a, extent);
            if (const dim_t places = volume_of(reached); places != extent)
                return {{}, {reason::axis_is_padded, a, places, extent}};
            for (const digit& inner : reached) append_merged(out.digits, inner);
            continue;
        }
        dim_t room = 0;
        const bool fits = !multiply_overflows(outer, block, room);
        if (extent == dynamic ? outer != dynamic : !fits || room != extent)
            return {{}, {reason::axis_is_padded, a, fits ? room : outer, extent}};
        digit& last = out.digits.values[out.digits.count > 0 ? out.digits.count - 1 : 0];
        if (outer != 1 && out.digits.count > 0 && is_outside(last.stride) && links_over(l, last, a)) {
            const bool known = last.extent != dynamic && outer != dynamic;
            last = {a, known ? last.extent * outer : dynamic, d.stride};
        } else {
            append_merged(out.digits, d);
        }
        if (block == 1) continue;
        for (int k = l.dims.count; k < l.digits.count; ++k)
            if (l.digits.values[k].axis == a) append_merged(out.digits, l.digits.values[k]);
    }
    return out;
}

/// Returns the digits of a group as its rules require. Plain axes must merge to one digit.
///
/// Refused: stride_is_dynamic, joined_axes_do_not_chain, group_is_not_contiguous, size_overflows; as digits_of_group
constexpr digits_taken digits_to_regroup(const layout& l, const axis_group& group, const regroup_rules& rules) {
    digits_taken out = digits_of_group(l, group, rules);
    digit_list& list = out.digits;
    if (!out.why.ok() || list.size() < 2) return out;
    for (const digit& d : list)
        if (!is_known(d.stride)) return {{}, {reason::stride_is_dynamic, d.axis, 0, 0}};
    if (rules.through_blocks) return out;
    if (rules.any_order) {
        // Outermost in memory first, none backwards; one contiguous chunk merges to one digit.
        checked_integer moved;
        for (digit& d : list) {
            if (d.stride >= 0) continue;
            if (d.extent > 1) moved.add_product(d.extent - 1, d.stride);
            if (!moved.ok()) return {{}, {reason::size_overflows, d.axis, d.stride, d.extent}};
            d.stride = -d.stride;
        }
        out.moved = moved.value;
        for (int k = 1; k < list.size(); ++k)
            for (int at = k; at > 0 && list[at - 1].stride < list[at].stride; --at) {
                const digit further_out = list[at];
                list[at] = list[at - 1];
                list[at - 1] = further_out;
            }
        digit_list merged;
        for (const digit& d : list) append_merged(merged, d);
        list = merged;
        if (list.size() < 2) return out;
    }
    const digit &outer = list[list.size() - 2], &inner = list.back();
    const checked_integer needed = checked_integer{inner.stride} * (inner.extent == dynamic ? 1 : inner.extent);
    const reason why = rules.any_order ? reason::group_is_not_contiguous : reason::joined_axes_do_not_chain;
    return {{}, {why, outer.axis, outer.stride, needed.value}};
}

/// Gives new axes of one element the strides of the RFC: each is directly outside the axis on its right, and the last
/// one is outside all inner blocks.
///
/// Source:  seeds rfc-memory-descriptor-operations, 3.1.3
constexpr void attach_unit_axes(layout& l, unsigned new_axes) {
    for (int a = l.ndims() - 1; a >= 0; --a) {
        if ((new_axes >> a & 1u) == 0) continue;
        dim_t& stride = l.digits[a].stride;
        if (a + 1 == l.ndims()) {
            stride = inner_volume(l);
            continue;
        }
        const digit& right = l.digits[a + 1];
        const bool dynamic_right = right.extent == dynamic || !is_known(right.stride);
        const checked_integer all = checked_integer{right.stride} * (right.extent == 0 ? 1 : right.extent);
        // With one element any stride is valid, so use that of the neighbour if this one overflows.
        if (dynamic_right) stride = right.extent == 1 ? right.stride : outside(a + 1);
        else stride = all.ok() && is_known(all.value) ? all.value : right.stride;
    }
}

/// The result of regroup during its construction.
///
/// Uses plain writes, because the compiler does this for every layout. Values after the end of `to` are not copied.
struct regrouped_layout {
    layout made;
    int digits = 0;  ///< how many it needs, though at most max_digits are kept
    checked_integer inner_elements{1};

    /// Creates axes of the extents `to`, each with one digit that has no place yet.
    constexpr regrouped_layout(const layout& l, const dims& to) : digits(to.size()) {
        made.kind = l.kind;
        made.offset0 = l.offset0;
        for (int b = 0; b < digits; ++b) {
            const dim_t extent = to.values[b];
            made.dims.values[b] = made.padded_dims.values[b] = extent;
            made.digits.values[b] = {b, extent, 1};
        }
        made.dims.count = made.padded_dims.count = made.padded_offsets.count = made.digits.count = digits;
    }
    constexpr void add_inner(const digit& d) {
        inner_elements *= d.extent;
        if (++digits <= max_digits) made.digits.push_back(d);
    }
    /// Copies the axes that are not changed.
    ///
    /// Refused: axis_is_padded
    constexpr verdict keep_axes(const layout& l, const dims& to, const axis_targets& targets) {
        const int n = l.dims.count;
        for (int a = 0; a < n; ++a) {
            const int b = targets.kept[a];
            if (b < 0) continue;
            const digit& d = l.digits.values[a];
            const dim_t begin = l.padded_offsets.values[a];
            if (begin != 0 && to.values[b] != l.dims.values[a])
                return {reason::axis_is_padded, a, l.padded_dims[a], to[b]};
            made.padded_dims.values[b] = l.padded_dims.values[a];
            made.padded_offsets.values[b] = begin;
            made.digits.values[b] = {b, d.extent, is_known(d.stride) ? d.stride : targets.links.renumbered(l, d)};
        }
        for (int k = n; k < l.digits.count; ++k)
            if (const digit& d = l.digits.values[k]; targets.kept[d.axis] >= 0)
                add_inner({targets.kept[d.axis], d.extent, d.stride});
        return {};
    }
    /// Makes the axes of a group from the digits that it has in l, which are consumed from the innermost outwards.
    ///
    /// Refused: dim_is_dynamic, layout_is_malformed; as take_inside
    constexpr verdict take_axes(digit_list& list, const dims& to, const axis_group& group) {
        for (int b = group.to_last - 1; b >= group.to_first; --b) {
            if (to[b] == 1) continue;
            if (to[b] == dynamic) {
                if (list.empty()) return {reason::layout_is_malformed, group.first, 0, 0};
                // The extent of a single digit follows from the axis. Of several, only the innermost would be left.
                if (list.size() > 1) return {reason::dim_is_dynamic, group.first, dynamic, list.back().extent};
                made.digits[b] = {b, dynamic, list.back().stride};
                continue;
            }
            const digits_taken part = take_inside(list, to[b]);
            if (!part.why.ok()) return part.why;
            const int inner = part.digits.size() - 1;
            if (inner < 0) return {reason::layout_is_malformed, group.first, 0, 0};
            made.digits[b] = {b, part.digits.back().extent, part.digits.back().stride};
            for (int k = inner - 1; k >= 0; --k) add_inner({b, part.digits[k].extent, part.digits[k].stride});
            if (!list.empty() && !is_known(list.back().stride)) list[list.size() - 1].stride = outside(b);
        }
        return {};
    }
};

/// Returns the layout with the axes of `to`, made from the groups.
///
/// Pre:     groups from add_groups, which cover all axes of l and of `to`
/// Post:    offset(result, linear i) == offset(l, linear i), in every group that keeps the order of its elements
/// Refused: as digits_to_regroup; extents_do_not_divide, too_many_digits
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  spec semantics 5; seeds rfc-memory-descriptor-operations, 3.1.3
/// Example: of layout({2, 3, 4, 5}, "abcd"), {6, 2, 10} and the groups of add_groups: layout({6, 2, 10}, "abc")
constexpr expected<layout> regroup(const layout& l, const dims& to, const axis_groups& groups,
                                   const regroup_rules& rules) {
    const axis_targets targets(l, to, groups);
    regrouped_layout out(l, to);
    if (const verdict why = out.keep_axes(l, to, targets); !why.ok()) return why;
    const int kept_digits = out.digits;
    for (const axis_group& group : groups) {
        if (group.keeps_axis() || group.size() == 0 || group.to_size() == 0) continue;
        digits_taken from = digits_to_regroup(l, group, rules);
        if (!from.why.ok()) return from.why;
        for (digit& d : from.digits)
            if (!is_known(d.stride)) d.stride = targets.links.renumbered(l, d);
        if (add_overflows(out.made.offset0, from.moved, out.made.offset0))
            return verdict{reason::size_overflows, group.first, l.offset0, from.moved};
        if (const verdict why = out.take_axes(from.digits, to, group); !why.ok()) return why;
    }
    if (out.digits > max_digits) return verdict{reason::too_many_digits, -1, out.digits, max_digits};
    layout& made = out.made;
    if (!out.inner_elements.ok())
        return verdict{reason::size_overflows, made.digits.back().axis, made.digits.back().extent, 0};
    if (out.digits > kept_digits) sort_inner_digits(made);
    attach_unit_axes(made, targets.new_units);
    // A link to a single place became the stride of that place, which has not been checked yet.
    return {made, l.is_dynamic() ? check_layout(made) : verdict{}};
}

/// Returns true if all extents are known, and neither l nor a layout of the dims `to` has elements.
constexpr bool lack_elements(const layout& l, const dims& to) {
    for (const dims* extents : {&l.dims, &to})
        for (const dim_t extent : *extents)
            if (extent == dynamic) return false;
    return l.kind == format_kind::blocked && !has_elements(l.dims) && !has_elements(to);
}

/// Returns a layout of a tensor without elements in place of another. No element has a place to keep, so any dims
/// without elements are allowed, as in NumPy.
///
/// Refused: axis_is_padded (padding without elements has places)
/// Pre:     lack_elements(l, to); check_blocked(l).ok(), check_volume(to).ok()
constexpr expected<layout> regroup_empty(const layout& l, const dims& to) {
    for (int a = 0; a < l.ndims() && has_elements(l.padded_dims); ++a)
        if (l.dims[a] == 0) return verdict{reason::axis_is_padded, a, l.padded_dims[a], 0};
    expected<layout> out = identity_of(dims(to.begin(), static_cast<std::size_t>(to.size())));
    out->offset0 = l.offset0;
    return out;
}

}  // namespace plait::detail
