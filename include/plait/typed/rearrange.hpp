#pragma once
// Axes by einops' notation, on constants, on partly static layouts, and on those whose axes have names.

#include <plait/algebra/rearrange_copy.hpp>
#include <plait/typed/named_operations.hpp>

namespace plait {

/// rearrange on a constant: refused by the compiler with reason, axis and numbers.
///
/// Pre:     check_rearrange<Pattern, Extents...>(L).ok()
/// Post:    rearrange<Pattern, Extents...>(layout_c<L>).value == rearrange<Pattern, Extents...>(L)
/// Cost:    one instantiation for each pattern, extents and layout; none when it runs
/// Source:  einops' rearrange
template <fixed_string Pattern, dim_t... Extents, layout L>
[[nodiscard]] constexpr auto rearrange(const layout_constant<L>&) {
    if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) {
        return layout_c<L>;
    } else {
        constexpr expected<layout> made = try_rearrange<Pattern, Extents...>(L);
        return layout_c<(allowed<made.why> ? made.made : L)>;
    }
}

/// rearrange on a partly static layout: see on_bound.
template <fixed_string Pattern, dim_t... Extents, layout L>
[[nodiscard]] constexpr auto rearrange(const bound_layout<L>& l) {
    if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) return l;
    else
        return on_bound([](const layout& x) { return check_rearrange<Pattern, Extents...>(x); },
                        [](const layout& x) { return rearrange<Pattern, Extents...>(x); }, l);
}

/// The letter of a name that is one lower-case letter, else 0.
constexpr char letter_of_name(const axis_pattern& pattern, int number) {
    const std::string_view name = pattern.name(number);
    return name.size() == 1 && name[0] >= 'a' && name[0] <= 'z' ? name[0] : '\0';
}

/// Whether the single letters of the left side are those that name the axes.
///
/// Words, and the names within a group of several, say nothing about the names of the axes. Where there are fewer axes
/// than the pattern has, that is for check_rearrange to say.
///
/// Pre:     have is empty or has a letter for each axis
/// Refused: axis_is_named_otherwise
constexpr verdict check_pattern_letters(const letter_list& have, const axis_pattern& pattern) {
    const int rest = have.size() - pattern.left.groups.size() + 1;  // what an ellipsis stands for
    if (have.empty() || rest < 0) return {};
    int axis = 0;
    for (const pattern_group& group : pattern.left.groups) {
        if (group.spreads) {
            axis += rest;
            continue;
        }
        if (group.size() == 1 && axis < have.size()) {
            const char wanted = letter_of_name(pattern, pattern.left.items[group.first]);
            if (wanted != 0 && have[axis] != wanted) return {reason::axis_is_named_otherwise, axis, have[axis], wanted};
        }
        ++axis;
    }
    return {};
}

/// The letters of the right side; none where an axis there has no single letter of its own.
constexpr letter_list rearranged_letters(const letter_list& have, const axis_pattern& pattern) {
    const int rest = have.size() - pattern.left.groups.size() + 1;
    int first_of_rest = 0;
    for (const pattern_group& group : pattern.left.groups) {
        if (group.spreads) break;
        ++first_of_rest;
    }
    letter_list out;
    for (const pattern_group& group : pattern.right.groups) {
        for (int k = 0; group.spreads && k < rest; ++k) {
            const char letter = have[first_of_rest + k];
            if (out.find(letter) >= 0 || out.size() == max_ndims) return {};
            out.push_back(letter);
        }
        if (group.spreads) continue;
        const int item = group.size() == 1 ? pattern.right.items[group.first] : axis_pattern::ellipsis;
        const char letter = item == axis_pattern::ellipsis ? '\0' : letter_of_name(pattern, item);
        if (letter == 0 || out.find(letter) >= 0 || out.size() == max_ndims) return {};
        out.push_back(letter);
    }
    return out;
}

/// rearrange on a layout whose axes have names: single letters of the left side have to be these, and those of the
/// right side name the axes of the result, if all do.
///
/// Refused besides, by the compiler: axis_is_named_otherwise
/// Example: rearrange<"n h w c -> n c h w">(nchw<...>) is refused; of nhwc<...> with the axes n, c, h, w too: a pattern
///          is about the order of axes, which is that of nchw
template <fixed_string Pattern, dim_t... Extents, class L, char... Letters>
[[nodiscard]] constexpr auto rearrange(const named_layout<L, Letters...>& l) {
    constexpr letter_list have = axis_letters<Letters...>::list();
    if constexpr (!allowed<pattern_verdict<Pattern, Extents...>>) {
        return l;
    } else if constexpr (!allowed<check_pattern_letters(have, pattern_read<Pattern>.made)>) {
        return l;
    } else {
        constexpr letter_list letters = rearranged_letters(have, pattern_read<Pattern>.made);
        return with_letters<letters>(rearrange<Pattern, Extents...>(without_names(l)));
    }
}

/// The same with a pattern known only at run time: the result is a value, whose axes have no names.
///
/// Refused besides, when it runs: axis_is_named_otherwise
/// Post:    rearrange(l, pattern, extents) == rearrange(static_cast<layout>(l), pattern, extents)
template <class L, char... Letters>
[[nodiscard]] constexpr expected<layout> try_rearrange(const named_layout<L, Letters...>& l,
                                                       const axis_pattern& pattern, const named_extents& extents = {}) {
    const verdict why = check_pattern_letters(axis_letters<Letters...>::list(), pattern);
    return why.ok() ? try_rearrange(static_cast<layout>(l), pattern, extents) : expected<layout>{{}, why};
}
template <class L, char... Letters>
constexpr verdict check_rearrange(const named_layout<L, Letters...>& l, const axis_pattern& pattern,
                                  const named_extents& extents = {}) {
    return try_rearrange(l, pattern, extents).why;
}
template <class L, char... Letters>
[[nodiscard]] constexpr layout rearrange(const named_layout<L, Letters...>& l, const axis_pattern& pattern,
                                         const named_extents& extents = {}) {
    const expected<layout> attempt = try_rearrange(l, pattern, extents);
    require(attempt.why);
    return attempt.made;
}

/// What is refused of the letters of a pattern that the compiler reads.
template <fixed_string Pattern, letter_list Letters>
inline constexpr verdict pattern_letters_verdict = pattern_read<Pattern>.why.ok()
                                                       ? check_pattern_letters(Letters, pattern_read<Pattern>.made)
                                                       : pattern_read<Pattern>.why;

/// What rearrange<Pattern, Extents...> of it is refused for, names included.
template <fixed_string Pattern, dim_t... Extents, class L, char... Letters>
constexpr verdict check_rearrange(const named_layout<L, Letters...>& l) {
    constexpr verdict why = pattern_letters_verdict<Pattern, axis_letters<Letters...>::list()>;
    return why.ok() ? check_rearrange<Pattern, Extents...>(static_cast<layout>(l)) : why;
}

/// rearrange_copy and its kin, of a layout whose axes have names: the letters of the pattern have to be these.
///
/// Refused besides: axis_is_named_otherwise; where the compiler reads the pattern, by the compiler
/// Post:    rearrange_copy(l, ...) == rearrange_copy(static_cast<layout>(l), ...)
template <class L, char... Letters>
[[nodiscard]] constexpr expected<rearranged_copy> try_rearrange_copy(const named_layout<L, Letters...>& l,
                                                                     const axis_pattern& pattern,
                                                                     const named_extents& extents = {}) {
    const verdict why = check_pattern_letters(axis_letters<Letters...>::list(), pattern);
    return why.ok() ? try_rearrange_copy(static_cast<layout>(l), pattern, extents) : expected<rearranged_copy>{{}, why};
}
template <class L, char... Letters>
constexpr verdict check_rearrange_copy(const named_layout<L, Letters...>& l, const axis_pattern& pattern,
                                       const named_extents& extents = {}) {
    return try_rearrange_copy(l, pattern, extents).why;
}
template <class L, char... Letters>
[[nodiscard]] constexpr rearranged_copy rearrange_copy(const named_layout<L, Letters...>& l,
                                                       const axis_pattern& pattern, const named_extents& extents = {}) {
    const expected<rearranged_copy> attempt = try_rearrange_copy(l, pattern, extents);
    require(attempt.why);
    return attempt.made;
}
template <class L, char... Letters>
[[nodiscard]] constexpr bool rearrange_needs_copy(const named_layout<L, Letters...>& l, const axis_pattern& pattern,
                                                  const named_extents& extents = {}) {
    return !check_rearrange(l, pattern, extents).ok() && check_rearrange_copy(l, pattern, extents).ok();
}
template <fixed_string Pattern, dim_t... Extents, class L, char... Letters>
[[nodiscard]] constexpr expected<rearranged_copy> try_rearrange_copy(const named_layout<L, Letters...>& l) {
    constexpr verdict why = pattern_letters_verdict<Pattern, axis_letters<Letters...>::list()>;
    return why.ok() ? try_rearrange_copy<Pattern, Extents...>(static_cast<layout>(l))
                    : expected<rearranged_copy>{{}, why};
}
template <fixed_string Pattern, dim_t... Extents, class L, char... Letters>
constexpr verdict check_rearrange_copy(const named_layout<L, Letters...>& l) {
    return try_rearrange_copy<Pattern, Extents...>(l).why;
}
template <fixed_string Pattern, dim_t... Extents, class L, char... Letters>
[[nodiscard]] constexpr rearranged_copy rearrange_copy(const named_layout<L, Letters...>& l) {
    if constexpr (!allowed<pattern_letters_verdict<Pattern, axis_letters<Letters...>::list()>>) return {};
    else return rearrange_copy<Pattern, Extents...>(static_cast<layout>(l));
}
template <fixed_string Pattern, dim_t... Extents, class L, char... Letters>
[[nodiscard]] constexpr bool rearrange_needs_copy(const named_layout<L, Letters...>& l) {
    return !check_rearrange<Pattern, Extents...>(l).ok() && check_rearrange_copy<Pattern, Extents...>(l).ok();
}

}  // namespace plait
