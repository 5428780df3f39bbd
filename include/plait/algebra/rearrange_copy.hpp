#pragma once

#include <plait/algebra/rearrange.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A reorder for what rearrange cannot do in place. It moves a tensor so that the result is in row-major order.
struct rearranged_copy {
    layout from;    ///< the layout to rearrange
    layout to;      ///< the same axes, so that reorder accepts the pair
    layout result;  ///< the axes of the pattern's right side, on the memory of `to`: dense, row-major
    constexpr bool operator==(const rearranged_copy&) const = default;
};

namespace detail {
constexpr expected<rearranged_copy> make_rearranged_copy(const layout& l, const axis_pattern& pattern,
                                                         const dims& given) {
    if (const verdict why = check_static_layout(l); !why.ok()) return why;
    const expected<pattern_parts> parts = find_parts(l, pattern, given);
    if (!parts) return parts.error();
    const expected<dims> extents = extents_of_result(*parts);
    if (!extents) return extents.error();
    if (extents->empty()) return verdict{reason::layout_is_undefined};
    const expected<layout> result = identity_of(*extents);
    if (!result) return result.error();
    if (parts->extents.empty()) {
        const expected<layout> units = regroup_to(*result, l.dims, {.through_blocks = true});
        return {{l, *units, *result}, units.error()};
    }
    // The reverse of the pattern: splits the groups of the right side, and joins those of the left side.
    const auto turned = [](inline_list<axis_group, max_ndims> ranges) {
        for (axis_group& range : ranges) range = {range.to_first, range.to_last, range.first, range.last};
        return ranges;
    };
    dims places;
    for (dim_t part : parts->order) places.push_back(parts->extents[static_cast<int>(part)]);
    const expected<layout> split = regroup_ranges(*result, places, turned(parts->right));
    if (!split) return split.error();
    const expected<layout> to = regroup_ranges(permute_axes(*split, parts->order), l.dims, turned(parts->left));
    return {{l, *to, *result}, to.error()};
}

/// The rule of rearrange_copy with a pattern known only at run time.
struct rearrange_copy_rule {
    static constexpr expected<rearranged_copy> attempt(const layout& l, const axis_pattern& pattern,
                                                       const named_extents& extents) {
        return extents_by_name(pattern, extents).and_then([&](const dims& given) {
            return make_rearranged_copy(l, pattern, given);
        });
    }
    static constexpr verdict check_letters(const letter_list& have, const axis_pattern& pattern, const named_extents&) {
        return check_pattern_letters(have, pattern);
    }
};
/// The rule of rearrange_copy with a pattern that the compiler reads.
template <fixed_string Pattern, dim_t... Extents>
struct rearrange_copy_by {
    /// Reports an invalid pattern as one error, and no other.
    static constexpr expected<rearranged_copy> attempt(const layout& l) {
        if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) return {};
        else return make_rearranged_copy(l, *pattern_read<Pattern>, *pattern_extents<Pattern, Extents...>);
    }
    static constexpr verdict check_letters(const letter_list& have) {
        return rearrange_by<Pattern, Extents...>::check_letters(have);
    }
};
}  // namespace detail

/// Returns the reorder that puts the axes of l into the order of the pattern, dense and row-major, like einops' copy.
///
/// Refused: as check_rearrange of the pattern and its extents; dynamic extents and strides, undefined, any and opaque
///          layouts; size_overflows
/// Pre:     check_rearrange_copy(l, pattern, extents).ok()
/// Post:    same_memory(rearrange(made.to, pattern, extents), made.result), which begins at 0 without gaps; after
///          reorder<made.from, made.to>(in, out) the element of in at the indices of the left side is in out at
///          offset(made.result, those of the right side)
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  einops' rearrange
/// Example: rearrange_copy(layout({2, 17, 4, 4}, "nChw16c"), "n c h w -> n (c h w)")
template <class Layout>
[[nodiscard]] constexpr rearranged_copy rearrange_copy(const Layout& l, const axis_pattern& pattern,
                                                       const named_extents& extents = {}) {
    return operation<detail::rearrange_copy_rule>()(l, pattern, extents);
}
/// Checks that rearrange_copy is allowed; the verdict has the reason if it is not.
template <class Layout>
constexpr verdict check_rearrange_copy(const Layout& l, const axis_pattern& pattern,
                                       const named_extents& extents = {}) {
    return operation_check<detail::rearrange_copy_rule>()(l, pattern, extents);
}
/// Returns the result of rearrange_copy, or the verdict that refuses it.
template <class Layout>
[[nodiscard]] constexpr expected<rearranged_copy> try_rearrange_copy(const Layout& l, const axis_pattern& pattern,
                                                                     const named_extents& extents = {}) {
    return operation_attempt<detail::rearrange_copy_rule>()(l, pattern, extents);
}

/// Returns true if the axes of l can be rearranged, but only in a copy.
///
/// Pre:     none
/// Post:    result == (!check_rearrange(l, pattern, extents).ok() && check_rearrange_copy(l, pattern, extents).ok())
/// Cost:    that of check_rearrange and check_rearrange_copy
/// Source:  einops copies if this is true, and does not report it
/// Example: examples/13_rearrange.cpp
template <class Layout>
[[nodiscard]] constexpr bool rearrange_needs_copy(const Layout& l, const axis_pattern& pattern,
                                                  const named_extents& extents = {}) {
    return !check_rearrange(l, pattern, extents).ok() && check_rearrange_copy(l, pattern, extents).ok();
}

/// Returns rearrange_copy by a pattern that the compiler reads. Extents are those of rearrange<Pattern, Extents...>.
template <fixed_string Pattern, dim_t... Extents, class Layout>
[[nodiscard]] constexpr rearranged_copy rearrange_copy(const Layout& l) {
    return operation<detail::rearrange_copy_by<Pattern, Extents...>>()(l);
}
/// Checks that rearrange_copy by this pattern is allowed; the verdict has the reason if it is not.
template <fixed_string Pattern, dim_t... Extents, class Layout>
constexpr verdict check_rearrange_copy(const Layout& l) {
    return operation_check<detail::rearrange_copy_by<Pattern, Extents...>>()(l);
}
/// Returns the result of rearrange_copy by this pattern, or the verdict that refuses it.
template <fixed_string Pattern, dim_t... Extents, class Layout>
[[nodiscard]] constexpr expected<rearranged_copy> try_rearrange_copy(const Layout& l) {
    return operation_attempt<detail::rearrange_copy_by<Pattern, Extents...>>()(l);
}
/// Returns true if the axes of l can be rearranged by this pattern, but only in a copy.
template <fixed_string Pattern, dim_t... Extents, class Layout>
[[nodiscard]] constexpr bool rearrange_needs_copy(const Layout& l) {
    return !check_rearrange<Pattern, Extents...>(l).ok() && check_rearrange_copy<Pattern, Extents...>(l).ok();
}

}  // namespace plait
