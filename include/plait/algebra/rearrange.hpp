#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/pattern_letters.hpp>
#include <plait/algebra/pattern_parts.hpp>
#include <plait/core/allowed.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns l with the axes of the pattern, or why that fails. `given` has an entry for each name. The suggested number
/// of a failure is not tested yet.
constexpr expected<layout> rearrange_once(const layout& l, const axis_pattern& pattern, const dims& given) {
    if (const verdict why = check_new_dims(l, l.dims); !why.ok()) return why;
    const expected<pattern_parts> parts = find_parts(l, pattern, given);
    if (!parts) return parts.error();
    const expected<dims> to = extents_of_result(*parts);
    if (!to) return to.error();
    // If all axes on both sides have one element and no name, there are no parts.
    if (parts->extents.empty()) return regroup_to(l, *to, {.through_blocks = true});
    const expected<layout> split = regroup_ranges(l, parts->extents, parts->left);
    if (!split) return split;
    expected<layout> joined = regroup_ranges(rename_axes(*split, parts->order), *to, parts->right);
    // The caller does not know the parts, so a failure names the axis of l that the part belongs to.
    if (joined.error().axis >= 0 && joined.error().reason != reason::size_overflows)
        joined.error().axis = axis_of_part(*parts, static_cast<int>(parts->order[joined.error().axis]));
    return joined;
}

/// Returns l with the axes of the pattern, or why that fails. `given` has an entry for each name.
constexpr expected<layout> make_rearranged(const layout& l, const axis_pattern& pattern, const dims& given) {
    expected<layout> out = rearrange_once(l, pattern, given);
    verdict& why = out.error();
    if (why.reason != reason::extents_do_not_divide) return out;
    const dim_t guess = why.third;
    why.third = 0;
    for (int i = 0; i < given.size() && guess > 0; ++i) {
        if (given[i] != why.second) continue;
        dims changed = given;
        changed[i] = guess;
        if (rearrange_once(l, pattern, changed).has_value()) why.third = guess;
    }
    return out;
}

/// The rule of rearrange with a pattern known only at run time.
struct rearrange_rule {
    static constexpr expected<layout> attempt(const layout& l, const axis_pattern& pattern,
                                              const named_extents& extents) {
        return extents_by_name(pattern, extents).and_then([&](const dims& given) {
            return make_rearranged(l, pattern, given);
        });
    }
    static constexpr verdict check_letters(const letter_list& have, const axis_pattern& pattern, const named_extents&) {
        return check_pattern_letters(have, pattern);
    }
};

/// A pattern that is a template argument, parsed once.
template <fixed_string Pattern>
inline constexpr expected<axis_pattern> pattern_read = parse_axis_pattern({Pattern.data(),
                                                                           static_cast<std::size_t>(Pattern.size())});
/// The extents of the names of a pattern, from template arguments.
template <fixed_string Pattern, dim_t... Extents>
inline constexpr expected<dims> pattern_extents = extents_by_order(*pattern_read<Pattern>, {Extents...});
/// The failure of a pattern with its extents that does not depend on the layout.
template <fixed_string Pattern, dim_t... Extents>
inline constexpr verdict pattern_verdict = pattern_read<Pattern>.has_value()
                                               ? pattern_extents<Pattern, Extents...>.error()
                                               : pattern_read<Pattern>.error();

/// The rule of rearrange with a pattern that the compiler reads.
template <fixed_string Pattern, dim_t... Extents>
struct rearrange_by {
    /// Reports an invalid pattern as one error, and no other.
    static constexpr expected<layout> attempt(const layout& l) {
        if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) return {l, {}};
        else return make_rearranged(l, *pattern_read<Pattern>, *pattern_extents<Pattern, Extents...>);
    }
    static constexpr verdict check_letters(const letter_list& have) {
        if constexpr (!pattern_verdict<Pattern, Extents...>.ok()) return {};
        else return check_pattern_letters(have, *pattern_read<Pattern>);
    }
    static constexpr letter_list letters(const letter_list& have) {
        if constexpr (!pattern_verdict<Pattern, Extents...>.ok()) return {};
        else return rearranged_letters(have, *pattern_read<Pattern>);
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Splits axes, reorders them and joins them as einops' pattern describes, without moving data.
///
/// Extents of names may be passed, and must be if a group has more than one unknown extent. For an `any` layout the
/// dims are rearranged. The result may need digits that no memory descriptor of oneDNN has; see is_blocking(result). A
/// failure names the axis of the operand.
///
/// Refused: rank_differs, too_many_axes; pattern_extent_is_not_of_an_axis, pattern_extent_is_missing; dim_is_negative,
///          volumes_differ, extents_do_not_divide (extents whose product is not the extent of the axis); as check_view
///          for the axes that are split, then for those that are joined: axis_is_padded, extents_do_not_divide,
///          too_many_digits, dim_is_dynamic, ...; unit_axis_is_padded if an axis of one element with padding is
///          removed, though a part of another axis could take its place; axis_is_named_otherwise if axes have other
///          names
/// Pre:     check_rearrange(x, pattern, extents).ok()
/// Post:    offset(result, the indices of the right side) == offset(x, those of the left side), if the index of a group
///          is that of its names, row-major; rearrange(l, "n h w c -> n c h w") == permute_axes(l, {0, 2, 3, 1})
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  einops' rearrange
/// Example: rearrange(layout({2, 56, 56, 64}, "abcd"), "n h w (g c) -> n g h w c", {{"g", 4}})
template <class Operand>
[[nodiscard]] constexpr auto rearrange(const Operand& x, const axis_pattern& pattern,
                                       const named_extents& extents = {}) {
    return operation<detail::rearrange_rule>()(x, pattern, extents);
}
/// Checks that rearrange is allowed; the verdict has the reason if it is not.
template <class Operand>
constexpr verdict check_rearrange(const Operand& x, const axis_pattern& pattern, const named_extents& extents = {}) {
    return operation_check<detail::rearrange_rule>()(x, pattern, extents);
}
/// Returns the result of rearrange, or the verdict that refuses it.
template <class Operand>
[[nodiscard]] constexpr auto try_rearrange(const Operand& x, const axis_pattern& pattern,
                                           const named_extents& extents = {}) {
    return operation_attempt<detail::rearrange_rule>()(x, pattern, extents);
}
/// Stores the result of rearrange in `out`, which is unchanged on failure, and may be `in`.
template <class Operand>
    requires(detail::is_stored_in_place<Operand>)
constexpr verdict rearrange(Operand& out, const Operand& in, const axis_pattern& pattern,
                            const named_extents& extents = {}) noexcept {
    return operation<detail::rearrange_rule>()(out, in, pattern, extents);
}

/// Splits axes, reorders them and joins them by a pattern that the compiler reads. A mistake in the pattern is a
/// compile error with its column.
///
/// Extents are those of the names in groups of several, in order: of all of them, or of all but the last of each group,
/// which is found by division. `dynamic` leaves another one to division.
///
/// Refused: as rearrange; by the compiler: what check_axis_pattern refuses; pattern_extents_do_not_match
/// Pre:     check_rearrange<Pattern, Extents...>(x).ok()
/// Post:    rearrange<Pattern, Extents...>(l) == rearrange(l, Pattern, {the same extents by name})
/// Cost:    for a constant, one instantiation for each pattern, extents and layout; otherwise that of rearrange
/// Source:  einops' rearrange
/// Example: rearrange<"n h w (g c) -> n g h w c", 4>(l), northstar 07
template <fixed_string Pattern, dim_t... Extents, class Operand>
[[nodiscard]] constexpr auto rearrange(const Operand& x) {
    return operation<detail::rearrange_by<Pattern, Extents...>>()(x);
}
/// Checks that rearrange by this pattern is allowed; the verdict has the reason if it is not.
template <fixed_string Pattern, dim_t... Extents, class Operand>
constexpr verdict check_rearrange(const Operand& x) {
    return operation_check<detail::rearrange_by<Pattern, Extents...>>()(x);
}
/// Returns the result of rearrange by this pattern, or the verdict that refuses it.
template <fixed_string Pattern, dim_t... Extents, class Operand>
[[nodiscard]] constexpr auto try_rearrange(const Operand& x) {
    return operation_attempt<detail::rearrange_by<Pattern, Extents...>>()(x);
}

}  // namespace plait
