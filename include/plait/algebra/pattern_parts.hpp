#pragma once
// Applies a pattern to a layout: its axes are split into parts, and the parts are reordered and joined.

#include <plait/algebra/axis_pattern.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/reshape.hpp>

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The extent of one name of a pattern.
struct named_extent {
    std::string_view name;
    dim_t extent = 0;
};

/// The extents passed with a pattern: a braced list, or an array of any length. Refers to them without a copy, so use
/// it for arguments only.
///
/// Example: rearrange(l, pattern, {{"g", 4}}); rearrange(l, pattern, {found.data(), found.size()})
class named_extents {
public:
    constexpr named_extents() = default;
    constexpr named_extents(std::initializer_list<named_extent> written)
        : named_extents(written.begin(), written.size()) {}
    constexpr named_extents(const named_extent* first, std::size_t count) : first_(first), count_(count) {}
    constexpr const named_extent* begin() const { return first_; }
    constexpr const named_extent* end() const { return first_ + count_; }

private:
    const named_extent* first_ = nullptr;
    std::size_t count_ = 0;
};

namespace detail {
/// The axes of a pattern for a layout of a given rank. Each name, and each axis of the ellipsis, is one part.
struct pattern_parts {
    dims extents;                              ///< the extents of the parts, in the order of the left side
    inline_list<axis_group, max_ndims> left;   ///< axis `first` becomes the parts to_first to to_last - 1
    permutation order;                         ///< part order[i] is at place i of the right side
    inline_list<axis_group, max_ndims> right;  ///< the places first to last - 1 become axis to_first
};

/// Returns the axis of the layout that a part belongs to.
constexpr int axis_of_part(const pattern_parts& parts, int part) {
    for (const axis_group& range : parts.left)
        if (part >= range.to_first && part < range.to_last) return range.first;
    return -1;
}

/// Sets the extents of the parts of one axis: those given, and at most one by division.
constexpr verdict find_extents(pattern_parts& parts, const layout& l, const axis_pattern& pattern, const dims& given,
                               const pattern_group& group, int axis) {
    const dim_t whole = l.dims[axis];
    checked_integer known{1};
    int open = 0, open_part = -1;
    for (int k = group.first; k < group.last; ++k) {
        const dim_t extent = given[pattern.left.items[k]];
        if (extent == dynamic) ++open, open_part = parts.extents.size();
        else if (extent < 0) return {reason::dim_is_negative, axis, extent, 0};
        else known *= extent;
        parts.extents.push_back(extent);
    }
    if (!known.ok()) return {reason::size_overflows, axis, whole, max_ndims};
    if (open > 1) return {reason::pattern_extent_is_missing, -1, group.column, open};
    if (whole == dynamic && (open == 0 || known.value != 1)) return {reason::dim_is_dynamic, axis, whole, known.value};
    if (open == 0 && whole != known.value) return {reason::volumes_differ, axis, whole, known.value};
    if (open == 0) return {};
    if (known.value == 1) parts.extents[open_part] = whole;
    else if (known.value == 0 || whole % known.value != 0)
        return {reason::extents_do_not_divide, axis, whole, known.value,
                known.value == 0 || whole == 0 ? 1 : divisor_at_most(whole, known.value)};
    else parts.extents[open_part] = whole / known.value;
    return {};
}

/// Returns the parts of a pattern for l, or why the pattern does not fit.
///
/// Pre:     given has an entry for each name
/// Refused: rank_differs, too_many_axes; as find_extents
/// Post:    the product of the extents of an axis's parts is its extent; result->order has each part once
/// Cost:    O(names + ndims) steps
/// Source:  einops' rearrange
/// Example: of layout({2, 12}, "ab") and "n (g c) -> g n c" with g 4: the extents {2, 4, 3}, the order {1, 0, 2}
constexpr expected<pattern_parts> find_parts(const layout& l, const axis_pattern& pattern, const dims& given) {
    expected<pattern_parts> out;
    pattern_parts& parts = *out;
    int spread = -1, axes = 0;
    for (const pattern_group& group : pattern.left.groups) ++(group.spreads ? spread : axes);
    const int rest = l.ndims() - axes;
    if (spread < 0 ? rest != 0 : rest < 0) return verdict{reason::rank_differs, -1, axes, l.ndims()};
    if (const int all = pattern.names.size() + rest; all > max_ndims)
        return verdict{reason::too_many_axes, -1, all, max_ndims};

    int part_of[max_ndims + 1]{}, axis = 0;  // the first part of each name, followed by that of the ellipsis
    int& part_of_rest = part_of[max_ndims];
    for (const pattern_group& group : pattern.left.groups) {
        for (int k = group.first; k < group.last; ++k) {
            const int item = pattern.left.items[k];
            part_of[item == axis_pattern::ellipsis ? max_ndims : item] = parts.extents.size() + (k - group.first);
        }
        if (group.spreads) {
            part_of_rest = parts.extents.size();
            for (int k = 0; k < rest; ++k, ++axis) {
                parts.left.push_back({axis, axis + 1, parts.extents.size(), parts.extents.size() + 1});
                parts.extents.push_back(l.dims[axis]);
            }
            continue;
        }
        const int before = parts.extents.size();
        if (const verdict why = find_extents(parts, l, pattern, given, group, axis); !why.ok()) return why;
        parts.left.push_back({axis, axis + 1, before, parts.extents.size()});
        ++axis;
    }
    const auto add_right = [&](int first, int to) { parts.right.push_back({first, parts.order.size(), to, to + 1}); };
    int to = 0;
    for (const pattern_group& group : pattern.right.groups) {
        const int first = parts.order.size();
        for (int k = group.first; k < group.last; ++k) {
            const int item = pattern.right.items[k];
            if (item != axis_pattern::ellipsis) parts.order.push_back(part_of[item]);
            for (int r = 0; item == axis_pattern::ellipsis && r < rest; ++r) {
                parts.order.push_back(part_of_rest + r);
                if (!group.spreads) continue;
                if (to == max_ndims) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
                add_right(parts.order.size() - 1, to++);
            }
        }
        if (group.spreads) continue;
        if (to == max_ndims) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
        add_right(first, to++);
    }
    return out;
}

/// Returns l with the extents `to`, regrouping each of the ranges separately, through blocks and in any order.
///
/// Pre:     the ranges cover all axes of l and of `to`, in order
constexpr expected<layout> regroup_ranges(const layout& l, const dims& to,
                                          const inline_list<axis_group, max_ndims>& ranges) {
    bool keeps_all = true;
    for (const axis_group& range : ranges) keeps_all = keeps_all && range.keeps_axis();
    if (keeps_all && l.dims == to) return {l, check_new_dims(l, to)};
    if (l.kind == format_kind::any) return regroup_to(l, to, {});
    if (const verdict why = check_new_dims(l, to); !why.ok()) return why;
    axis_groups groups;
    for (int r = ranges.size() - 1; r >= 0; --r) {
        const axis_group& range = ranges[r];
        int joined = 0;
        for (int a = range.first; a < range.last; ++a) joined += !is_single_place(l, a);
        // A dynamic extent can be joined, because the product does not need its value. It cannot be split.
        const bool dynamic_join = range.to_size() == 1 && to[range.to_first] == dynamic && joined > 1;
        if (range.keeps_axis() || dynamic_join) {
            groups.push_back(range);
        } else if (const verdict why = add_groups(groups, l, to, range, {.through_blocks = true}); !why.ok()) {
            return lack_elements(l, to) ? regroup_empty(l, to) : expected<layout>(why);
        }
    }
    const expected<layout> out = regroup(l, to, groups, {.through_blocks = true});
    return out.has_value() || !lack_elements(l, to) ? out : regroup_empty(l, to);
}

/// Returns the extents of the right side. Fails with size_overflows.
constexpr expected<dims> extents_of_result(const pattern_parts& parts) {
    expected<dims> out;
    for (const axis_group& range : parts.right) {
        dim_t extent = 1;
        bool open = false;
        for (int k = range.first; k < range.last; ++k) {
            const dim_t part = parts.extents[static_cast<int>(parts.order[k])], before = extent;
            if (part == dynamic) open = true;
            else if (multiply_overflows(before, part, extent))
                return verdict{reason::size_overflows, range.to_first, before, part};
        }
        out->push_back(open ? dynamic : extent);
    }
    return out;
}

/// Returns an entry for each name of the pattern. The extents are in the order of the names within groups of several:
/// one for each name, or for all but the last of each group. `dynamic` leaves one to division.
///
/// Refused: pattern_extents_do_not_match
constexpr expected<dims> extents_by_order(const axis_pattern& pattern, const dims& extents) {
    expected<dims> out;
    for (int i = 0; i < pattern.names.size(); ++i) out->push_back(dynamic);
    int all = 0, but_last = 0;
    for (const pattern_group& group : pattern.left.groups)
        if (group.size() > 1) all += group.size(), but_last += group.size() - 1;
    const bool says_last = extents.size() == all;
    if (!says_last && extents.size() != but_last)
        return verdict{reason::pattern_extents_do_not_match, -1, extents.size(), all, but_last};
    int next = 0;
    for (const pattern_group& group : pattern.left.groups)
        for (int k = group.first; group.size() > 1 && k < group.last - !says_last; ++k)
            (*out)[pattern.left.items[k]] = extents[next++];
    return out;
}

/// Returns an entry for each name of the pattern, from extents with names. Omitted ones are found by division.
///
/// Refused: pattern_extent_is_not_of_an_axis
constexpr expected<dims> extents_by_name(const axis_pattern& pattern, const named_extents& extents) {
    expected<dims> out;
    for (int i = 0; i < pattern.names.size(); ++i) out->push_back(dynamic);
    bool said[max_ndims]{};
    int count = 0;
    for (const named_extent& given : extents) {
        const int number = pattern.find(given.name);
        ++count;
        if (number < 0 || said[number])
            return verdict{reason::pattern_extent_is_not_of_an_axis, -1, count, given.extent};
        said[number] = true;
        (*out)[number] = given.extent;
    }
    return out;
}
}  // namespace detail
}  // namespace plait
