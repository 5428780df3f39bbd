#pragma once

#include <plait/algebra/operation.hpp>
#include <plait/algebra/pattern_letters.hpp>
#include <plait/algebra/pattern_parts.hpp>
#include <plait/core/allowed.hpp>

namespace plait {
namespace detail {
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
    const dim_t guess = why.third;
    why.third = 0;
    for (int i = 0; i < given.size() && guess > 0; ++i) {
        if (given[i] != why.second) continue;
        dims changed = given;
        changed[i] = guess;
        if (rearrange_once(l, pattern, changed).why.ok()) why.third = guess;
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

/// The rule of rearrange with a pattern that the compiler reads.
template <fixed_string Pattern, dim_t... Extents>
struct rearrange_by {
    /// A pattern that is refused is one error, and no other.
    static constexpr expected<layout> attempt(const layout& l) {
        if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) return {l, {}};
        else return make_rearranged(l, pattern_read<Pattern>.made, pattern_extents<Pattern, Extents...>.made);
    }
    static constexpr verdict check_letters(const letter_list& have) {
        if constexpr (!pattern_verdict<Pattern, Extents...>.ok()) return {};
        else return check_pattern_letters(have, pattern_read<Pattern>.made);
    }
    static constexpr letter_list letters(const letter_list& have) {
        if constexpr (!pattern_verdict<Pattern, Extents...>.ok()) return {};
        else return rearranged_letters(have, pattern_read<Pattern>.made);
    }
    static constexpr bool commutes_with_bind = true;
};
}  // namespace detail

/// Splits axes, puts them in another order and joins them, as einops' pattern says; the data stays where it is.
///
/// Extents of names may be given, and have to be where a group has more than one that is not known. Of an `any` layout
/// the dims are rearranged. The result may need digits that no memory descriptor of oneDNN has: is_blocking(result).
/// A refusal says the axis of the operand.
///
/// Refused: rank_differs, too_many_axes; pattern_extent_is_not_of_an_axis, pattern_extent_is_missing; dim_is_negative,
///          volumes_differ, extents_do_not_divide (extents that do not make up the axis); as check_view for the axes
///          that are split, then for those that are joined: axis_is_padded, extents_do_not_divide, too_many_digits,
///          dim_is_dynamic, ...; unit_axis_is_padded where an axis of one element goes away and has padding, though a
///          part of another axis could take it; axis_is_named_otherwise where the axes have names
/// Pre:     check_rearrange(x, pattern, extents).ok()
/// Post:    offset(result, the indices of the right side) == offset(x, those of the left side), where the index of a
///          group is that of its names, row-major; rearrange(l, "n h w c -> n c h w") == permute_axes(l, {0, 2, 3, 1})
/// Cost:    O(ndims squared + digits squared) steps
/// Source:  einops' rearrange
/// Example: rearrange(layout({2, 56, 56, 64}, "abcd"), "n h w (g c) -> n g h w c", {{"g", 4}})
template <class Operand>
[[nodiscard]] constexpr auto rearrange(const Operand& x, const axis_pattern& pattern,
                                       const named_extents& extents = {}) {
    return operation<detail::rearrange_rule>()(x, pattern, extents);
}
/// Whether rearrange is allowed, and what it is refused for.
template <class Operand>
constexpr verdict check_rearrange(const Operand& x, const axis_pattern& pattern, const named_extents& extents = {}) {
    return operation_check<detail::rearrange_rule>()(x, pattern, extents);
}
/// The result of rearrange, or what it is refused for.
template <class Operand>
[[nodiscard]] constexpr auto try_rearrange(const Operand& x, const axis_pattern& pattern,
                                           const named_extents& extents = {}) {
    return operation_attempt<detail::rearrange_rule>()(x, pattern, extents);
}
/// rearrange into `out`, which stays as it was if that is refused, and may be `in`.
template <class Operand>
    requires(detail::is_stored_in_place<Operand>)
constexpr verdict rearrange(Operand& out, const Operand& in, const axis_pattern& pattern,
                            const named_extents& extents = {}) noexcept {
    return operation<detail::rearrange_rule>()(out, in, pattern, extents);
}

/// Splits axes, puts them in another order and joins them, by a pattern that the compiler reads: what is wrong in it is
/// an error at its column.
///
/// Extents are those of the names in groups of several, in order: of all of them, or of all but the last of each group,
/// which division finds. `dynamic` leaves another one to division.
///
/// Refused: as rearrange; by the compiler: what check_axis_pattern refuses; pattern_extents_do_not_match
/// Pre:     check_rearrange<Pattern, Extents...>(x).ok()
/// Post:    rearrange<Pattern, Extents...>(l) == rearrange(l, Pattern, {the same extents by name})
/// Cost:    of a constant, one instantiation for each pattern, extents and layout; else as rearrange
/// Source:  einops' rearrange
/// Example: rearrange<"n h w (g c) -> n g h w c", 4>(l), northstar 07
template <fixed_string Pattern, dim_t... Extents, class Operand>
[[nodiscard]] constexpr auto rearrange(const Operand& x) {
    return operation<detail::rearrange_by<Pattern, Extents...>>()(x);
}
/// Whether rearrange by this pattern is allowed, and what it is refused for.
template <fixed_string Pattern, dim_t... Extents, class Operand>
constexpr verdict check_rearrange(const Operand& x) {
    return operation_check<detail::rearrange_by<Pattern, Extents...>>()(x);
}
/// The result of rearrange by this pattern, or what it is refused for.
template <fixed_string Pattern, dim_t... Extents, class Operand>
[[nodiscard]] constexpr auto try_rearrange(const Operand& x) {
    return operation_attempt<detail::rearrange_by<Pattern, Extents...>>()(x);
}

}  // namespace plait
