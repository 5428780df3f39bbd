#pragma once
// Axes by einops' notation, on constants, on partly static layouts, and on those whose axes have names.

#include <plait/algebra/rearrange_copy.hpp>
#include <plait/typed/named_operations.hpp>

namespace plait {

/// rearrange on a constant: refused by the compiler with reason, axis and numbers.
///
/// Post:    rearrange<Pattern, Extents...>(layout_c<L>).value == rearrange<Pattern, Extents...>(L)
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
/// Words, and the names within a group of several, say nothing about the names of the axes.
///
/// Pre:     have is empty or has a letter for each axis
/// Refused: axis_is_named_otherwise
constexpr verdict check_pattern_letters(const letter_list& have, const axis_pattern& pattern) {
    const int rest = have.size() - pattern.left.groups.size() + 1;  // what an ellipsis stands for
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

}  // namespace plait
