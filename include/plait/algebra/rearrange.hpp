#pragma once

#include <plait/algebra/pattern_parts.hpp>
#include <plait/core/allowed.hpp>

namespace plait {

/// l with the axes of the pattern, or why not; `given` has an entry for each name. A number that a refusal names has
/// not been tried.
constexpr expected<layout> rearrange_once(const layout& l, const axis_pattern& pattern, const dims& given) {
    if (const verdict why = check_new_dims(l, l.dims); !why.ok()) return {{}, why};
    const expected<pattern_parts> parts = find_parts(l, pattern, given);
    if (!parts) return {{}, parts.error()};
    const expected<dims> to = extents_of_result(*parts);
    if (!to) return {{}, to.error()};
    // Where all axes on both sides have one element and no name, nothing is in between.
    if (parts->extents.empty()) return regroup_to(l, *to, {.through_blocks = true});
    const expected<layout> split = regroup_ranges(l, parts->extents, parts->left);
    if (!split) return split;
    expected<layout> joined = regroup_ranges(rename_axes(*split, parts->order), *to, parts->right);
    // The parts are not what was asked about: a refusal says the axis of l that the part is of.
    if (joined.why.axis >= 0 && joined.why.reason != reason::size_overflows)
        joined.why.axis = axis_of_part(*parts, static_cast<int>(parts->order[joined.why.axis]));
    return joined;
}

/// l with the axes of the pattern, or why not; `given` has an entry for each name.
constexpr expected<layout> make_rearranged(const layout& l, const axis_pattern& pattern, const dims& given) {
    expected<layout> out = rearrange_once(l, pattern, given);
    verdict& why = out.why;
    if (why.reason != reason::extents_do_not_divide) return out;
    const dim_t guess = why.nearest;
    why.nearest = 0;
    for (int i = 0; i < given.size() && guess > 0; ++i) {
        if (given[i] != why.second) continue;
        dims changed = given;
        changed[i] = guess;
        if (rearrange_once(l, pattern, changed).why.ok()) why.nearest = guess;
    }
    return out;
}

/// Whether the axes of l can be rearranged where they are; a refusal says the axis of l.
///
/// Refused: rank_differs, too_many_axes; pattern_extent_is_not_of_an_axis, pattern_extent_is_missing; dim_is_negative,
/// volumes_differ, extents_do_not_divide (extents that do not make up the axis); as check_view for the axes that are
/// split, then for those that are joined: axis_is_padded, extents_do_not_divide, too_many_digits, dim_is_dynamic, ...;
/// unit_axis_is_padded where an axis of one element goes away and has padding, though a part of another axis could take
/// it
constexpr verdict check_rearrange(const layout& l, const axis_pattern& pattern, const named_extents& extents = {}) {
    const expected<dims> given = extents_by_name(pattern, extents);
    return given ? make_rearranged(l, pattern, *given).why : given.error();
}

/// rearrange(l, pattern, extents), or what check_rearrange says against it.
[[nodiscard]] constexpr expected<layout> try_rearrange(const layout& l, const axis_pattern& pattern,
                                                       const named_extents& extents = {}) {
    const expected<dims> given = extents_by_name(pattern, extents);
    return given ? make_rearranged(l, pattern, *given) : expected<layout>{{}, given.error()};
}

/// Splits axes, puts them in another order and joins them, as einops' pattern says; the data stays where it is.
///
/// Extents of names may be given, and have to be where a group has more than one that is not known. Of an `any` layout
/// the dims are rearranged. The result may need digits that no memory descriptor of oneDNN has: is_blocking(result).
///
/// Pre:     check_rearrange(l, pattern, extents).ok()
/// Post:    offset(result, the indices of the right side) == offset(l, those of the left side), where the index of a
/// group
///          is that of its names, row-major; rearrange(l, "n h w c -> n c h w") == permute_axes(l, {0, 2, 3, 1})
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  einops' rearrange
/// Example: rearrange(layout({2, 56, 56, 64}, "abcd"), "n h w (g c) -> n g h w c", {{"g", 4}})
[[nodiscard]] constexpr layout rearrange(const layout& l, const axis_pattern& pattern,
                                         const named_extents& extents = {}) {
    const expected<layout> attempt = try_rearrange(l, pattern, extents);
    require(attempt.why);
    return attempt.made;
}

/// A pattern that is a template argument, read once.
template <fixed_string Pattern>
inline constexpr expected<axis_pattern> pattern_read = parse_axis_pattern({Pattern.data(),
                                                                           static_cast<std::size_t>(Pattern.size())});
/// The extents of its names, from template arguments.
template <fixed_string Pattern, dim_t... Extents>
inline constexpr expected<dims> pattern_extents = extents_by_order(pattern_read<Pattern>.made, {Extents...});
/// What the compiler refuses of a pattern with its extents, whatever the layout is.
template <fixed_string Pattern, dim_t... Extents>
inline constexpr verdict pattern_verdict = pattern_read<Pattern>.why.ok() ? pattern_extents<Pattern, Extents...>.why
                                                                          : pattern_read<Pattern>.why;

/// The same with a pattern that the compiler reads: what is wrong in it is an error at its column.
///
/// Extents are those of the names in groups of several, in order: of all of them, or of all but the last of each group,
/// which division finds. `dynamic` leaves another one to division.
///
/// Refused besides, by the compiler: what check_axis_pattern refuses; pattern_extents_do_not_match
/// Post:    rearrange<Pattern, Extents...>(l) == rearrange(l, Pattern, {the same extents by name})
/// Example: rearrange<"n h w (g c) -> n g h w c", 4>(l), northstar 07
template <fixed_string Pattern, dim_t... Extents>
[[nodiscard]] constexpr expected<layout> try_rearrange(const layout& l) {
    if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) return {l, pattern_verdict<Pattern, Extents...>};
    else return make_rearranged(l, pattern_read<Pattern>.made, pattern_extents<Pattern, Extents...>.made);
}
template <fixed_string Pattern, dim_t... Extents>
constexpr verdict check_rearrange(const layout& l) {
    return try_rearrange<Pattern, Extents...>(l).why;
}
template <fixed_string Pattern, dim_t... Extents>
[[nodiscard]] constexpr layout rearrange(const layout& l) {
    const expected<layout> attempt = try_rearrange<Pattern, Extents...>(l);
    // A pattern that is refused has been an error already.
    if constexpr (pattern_verdict<Pattern, Extents...>.ok()) require(attempt.why);
    return attempt.made;
}

}  // namespace plait
