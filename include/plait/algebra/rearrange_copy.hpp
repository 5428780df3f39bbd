#pragma once

#include <plait/algebra/rearrange.hpp>

namespace plait {

/// The reorder that does what rearrange cannot do in place: it moves a tensor so that the result lies in row-major
/// order.
struct rearranged_copy {
    layout from;    ///< the layout that was to be rearranged
    layout to;      ///< the same axes, so that reorder takes the pair
    layout result;  ///< the axes of the pattern's right side, on the memory of `to`: dense, row-major
    constexpr bool operator==(const rearranged_copy&) const = default;
};

constexpr expected<rearranged_copy> make_rearranged_copy(const layout& l, const axis_pattern& pattern,
                                                         const dims& given) {
    if (const verdict why = check_static_layout(l); !why.ok()) return {{}, why};
    const expected<pattern_parts> parts = find_parts(l, pattern, given);
    if (!parts) return {{}, parts.error()};
    const expected<dims> extents = extents_of_result(*parts);
    if (!extents) return {{}, extents.error()};
    if (extents->empty()) return {{}, {reason::layout_is_undefined}};
    const expected<layout> result = make_layout(*extents, plain_tag(extents->size()));
    if (!result) return {{}, result.error()};
    if (parts->extents.empty()) {
        const expected<layout> units = regroup_to(*result, l.dims, {.through_blocks = true});
        return {{l, *units, *result}, units.error()};
    }
    // The way back: the groups of the right side split, and those of the left side joined.
    const auto turned = [](inline_list<axis_group, max_ndims> ranges) {
        for (axis_group& range : ranges) range = {range.to_first, range.to_last, range.first, range.last};
        return ranges;
    };
    dims places;
    for (dim_t part : parts->order) places.push_back(parts->extents[static_cast<int>(part)]);
    const expected<layout> split = regroup_ranges(*result, places, turned(parts->right));
    if (!split) return {{}, split.error()};
    const expected<layout> to = regroup_ranges(permute_axes(*split, parts->order), l.dims, turned(parts->left));
    return {{l, *to, *result}, to.error()};
}

/// Whether there is a copy of l that has the axes of the pattern.
///
/// Refused: as check_rearrange of the pattern and its extents; dynamic extents and strides, undefined, any and opaque
/// layouts; size_overflows
constexpr verdict check_rearrange_copy(const layout& l, const axis_pattern& pattern,
                                       const named_extents& extents = {}) {
    const expected<dims> given = extents_by_name(pattern, extents);
    return given ? make_rearranged_copy(l, pattern, *given).why : given.error();
}

/// rearrange_copy(l, pattern, extents), or what check_rearrange_copy says against it.
[[nodiscard]] constexpr expected<rearranged_copy> try_rearrange_copy(const layout& l, const axis_pattern& pattern,
                                                                     const named_extents& extents = {}) {
    const expected<dims> given = extents_by_name(pattern, extents);
    return given ? make_rearranged_copy(l, pattern, *given) : expected<rearranged_copy>{{}, given.error()};
}

/// The reorder after which the axes of l are as the pattern says, dense and row-major, as einops' copy has them.
///
/// Pre:     check_rearrange_copy(l, pattern, extents).ok()
/// Post:    same_memory(rearrange(made.to, pattern, extents), made.result), which begins at 0 without gaps; after
///          reorder<made.from, made.to>(in, out) the element of in at the indices of the left side is in out at
///          offset(made.result, those of the right side)
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  einops' rearrange
/// Example: rearrange_copy(layout({2, 17, 4, 4}, "nChw16c"), "n c h w -> n (c h w)")
[[nodiscard]] constexpr rearranged_copy rearrange_copy(const layout& l, const axis_pattern& pattern,
                                                       const named_extents& extents = {}) {
    const expected<rearranged_copy> attempt = try_rearrange_copy(l, pattern, extents);
    require(attempt.why);
    return attempt.made;
}

/// Whether the axes of l can be rearranged, but only in a copy.
///
/// Pre:     none
/// Post:    result == (!check_rearrange(l, pattern, extents).ok() && check_rearrange_copy(l, pattern, extents).ok())
/// Cost:    that of check_rearrange and check_rearrange_copy
/// Source:  einops copies where this is true, and does not say so
/// Example: examples/18_rearrange.cpp
[[nodiscard]] constexpr bool rearrange_needs_copy(const layout& l, const axis_pattern& pattern,
                                                  const named_extents& extents = {}) {
    return !check_rearrange(l, pattern, extents).ok() && check_rearrange_copy(l, pattern, extents).ok();
}

/// The same with a pattern that the compiler reads, and extents as those of rearrange<Pattern, Extents...>.
template <fixed_string Pattern, dim_t... Extents>
[[nodiscard]] constexpr expected<rearranged_copy> try_rearrange_copy(const layout& l) {
    if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) return {{}, pattern_verdict<Pattern, Extents...>};
    else return make_rearranged_copy(l, pattern_read<Pattern>.made, pattern_extents<Pattern, Extents...>.made);
}
template <fixed_string Pattern, dim_t... Extents>
constexpr verdict check_rearrange_copy(const layout& l) {
    return try_rearrange_copy<Pattern, Extents...>(l).why;
}
template <fixed_string Pattern, dim_t... Extents>
[[nodiscard]] constexpr rearranged_copy rearrange_copy(const layout& l) {
    const expected<rearranged_copy> attempt = try_rearrange_copy<Pattern, Extents...>(l);
    if constexpr (pattern_verdict<Pattern, Extents...>.ok()) require(attempt.why);
    return attempt.made;
}
template <fixed_string Pattern, dim_t... Extents>
[[nodiscard]] constexpr bool rearrange_needs_copy(const layout& l) {
    return !check_rearrange<Pattern, Extents...>(l).ok() && check_rearrange_copy<Pattern, Extents...>(l).ok();
}

}  // namespace plait
