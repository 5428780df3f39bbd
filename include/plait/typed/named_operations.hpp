#pragma once
// Operations that keep the axes keep their names: each is the one on the layout without names, and says which name
// stands where in the result.

#include <plait/typed/bound_operations.hpp>
#include <plait/typed/named_layout.hpp>

namespace plait {

/// The names after permute_axes(l, p): axis i goes to place p[i].
constexpr letter_list permuted_letters(const letter_list& letters, const permutation& p) {
    if (!check_permutation(p, letters.size()).ok()) return {};
    letter_list out = letters;
    for (int a = 0; a < letters.size(); ++a) out.values[p[a]] = letters[a];
    return out;
}
/// The names after rename_axes(l, names): axis names[i] is the axis i of the result.
constexpr letter_list renamed_letters(const letter_list& letters, const permutation& names) {
    if (!check_permutation(names, letters.size()).ok()) return {};
    letter_list out = letters;
    for (int a = 0; a < letters.size(); ++a) out.values[a] = letters.values[names[a]];
    return out;
}
/// The names without that of one axis.
constexpr letter_list letters_without(const letter_list& letters, int axis) {
    letter_list out;
    for (int a = 0; a < letters.size(); ++a)
        if (a != axis) out.push_back(letters[a]);
    return out;
}

/// The layout that a named_layout derives from: itself, by a type that says no names.
///
/// Pre:     none
/// Post:    &without_names(l) == &l; axis_letters_of<L> is axis_letters<>
/// Cost:    none: a reference to the same object, which has to live as long
/// Source:  plait's own
/// Example: without_names(nchw<1, 2, 3, 4>()).value == layout({1, 2, 3, 4}, "nchw")
template <class L, char... Letters>
constexpr const L& without_names(const named_layout<L, Letters...>& l) {
    return l;
}

template <class L, char... Letters, permutation P>
[[nodiscard]] constexpr auto permute_axes(named_layout<L, Letters...> l, permutation_constant<P> p) {
    return with_letters<permuted_letters(axis_letters<Letters...>::list(), P)>(permute_axes(without_names(l), p));
}
template <class L, char... Letters, permutation P>
[[nodiscard]] constexpr auto rename_axes(named_layout<L, Letters...> l, permutation_constant<P> names) {
    return with_letters<renamed_letters(axis_letters<Letters...>::list(), P)>(rename_axes(without_names(l), names));
}
template <class L, char... Letters, number_constant Axis, number_constant Index>
[[nodiscard]] constexpr auto slice(named_layout<L, Letters...> l, Axis axis, Index index) {
    constexpr letter_list left = letters_without(axis_letters<Letters...>::list(), axis_number<Axis>);
    return with_letters<left>(slice(without_names(l), axis, index));
}
template <class L, char... Letters, dims Extents, position Offsets>
[[nodiscard]] constexpr auto submemory(named_layout<L, Letters...> l, dims_constant<Extents> extents,
                                       position_constant<Offsets> offsets) {
    return with_letters<axis_letters<Letters...>::list()>(submemory(without_names(l), extents, offsets));
}
template <class L, char... Letters, number_constant Axis, number_constant Extent>
[[nodiscard]] constexpr auto broadcast_axis(named_layout<L, Letters...> l, Axis axis, Extent extent) {
    return with_letters<axis_letters<Letters...>::list()>(broadcast_axis(without_names(l), axis, extent));
}
template <class L, char... Letters, number_constant Axis, number_constant Count>
[[nodiscard]] constexpr auto repeat(named_layout<L, Letters...> l, Axis axis, Count count) {
    return with_letters<axis_letters<Letters...>::list()>(repeat(without_names(l), axis, count));
}
template <class L, char... Letters, strides Steps>
[[nodiscard]] constexpr auto with_strides(named_layout<L, Letters...> l, strides_constant<Steps> steps) {
    return with_letters<axis_letters<Letters...>::list()>(with_strides(without_names(l), steps));
}
template <class L, char... Letters, std::integral... Values>
[[nodiscard]] constexpr auto bind(named_layout<L, Letters...> l, Values... values) {
    return with_letters<axis_letters<Letters...>::list()>(bind(without_names(l), values...));
}

}  // namespace plait
