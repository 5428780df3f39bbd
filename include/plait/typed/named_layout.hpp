#pragma once
// Layouts whose axes have names in the type: nchw<...> and oihw<...> differ even if the memory is the same.

#include <plait/core/axis_letters.hpp>
#include <plait/typed/bound_layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A layout_constant, or a bound_layout, whose axes have names.
///
/// In all else it behaves as the layout from which it derives; the names are for with_axes. An operation that keeps
/// the axes keeps their names. An operation that makes other axes drops all names. canonical_form drops them too,
/// because all layouts of the same memory have the same canonical form.
///
/// Pre:     one letter per axis; name_axes checks it
/// Example: nhwc<1, 8, 8, 3> derives from named_layout<layout_constant<...>, 'n', 'c', 'h', 'w'>
template <class L, char... Letters>
struct named_layout : L {
    constexpr named_layout() = default;
    constexpr explicit named_layout(const L& l) : L(l) {}
};

namespace detail {
/// Finds the axis names of a type derived from named_layout. Only declared; axis_letters_of uses its return type.
///
/// Pre:     none; only the type of the pointer matters, not its value
/// Post:    the result is axis_letters<Letters...>, or axis_letters<> if the type has no names
/// Cost:    one overload resolution for each type; it is never called
/// Source:  plait's own
/// Example: axis_letters_of<nhwc<1, 8, 8, 3>> is axis_letters<'n', 'c', 'h', 'w'>
template <class L, char... Letters>
axis_letters<Letters...> letters_of_type(const named_layout<L, Letters...>*);
axis_letters<> letters_of_type(const void*);
/// The names of the axes in a type; axis_letters<> if it has none.
template <class L>
using axis_letters_of = decltype(letters_of_type(static_cast<const L*>(nullptr)));

/// Returns a reference to the layout from which a named_layout derives, whose type has no names.
///
/// Pre:     none
/// Post:    &without_names(l) == &l; axis_letters_of<L> is axis_letters<>
/// Cost:    none: it is a reference to the same object, which must outlive it
/// Source:  plait's own
/// Example: without_names(nchw<1, 2, 3, 4>()).value == layout({1, 2, 3, 4}, "nchw")
template <class L, char... Letters>
constexpr const L& without_names(const named_layout<L, Letters...>& l) {
    return l;
}

/// Returns l with names, or l itself if its type does not have one axis per letter, e.g. if l is a run-time value.
template <letter_list Letters, class L>
constexpr auto with_letters(const L& l) {
    if constexpr (Letters.empty() || known_layout<L>.ndims() != Letters.size()) return l;
    else return [&]<char... Letter>(axis_letters<Letter...>) {
            return named_layout<L, Letter...>(l);
        }
    (axis_letters_in<Letters>());
}

/// Checks that the axes of a type have the wanted names, in this order.
///
/// Refused: rank_differs, axis_is_not_named, axis_is_named_otherwise
template <class L, letter_list Wanted>
constexpr verdict check_axes() {
    constexpr letter_list have = axis_letters_of<L>::list();
    if (const int rank = known_layout<L>.ndims(); known_layout_type<L> && rank != Wanted.count)
        return {reason::rank_differs, -1, rank, Wanted.count};
    if (have.empty() && !Wanted.empty()) return {reason::axis_is_not_named, 0, 0, Wanted.values[0]};
    for (int a = 0; a < have.count; ++a)
        if (have.values[a] != Wanted.values[a])
            return {reason::axis_is_named_otherwise, a, have.values[a], Wanted.values[a]};
    return {};
}
}  // namespace detail

/// Fails to compile, with the axis and both names in the error, unless the axes have the wanted names.
///
/// Pre:     with_axes<L, Wanted>; refused by the compiler: rank_differs, axis_is_not_named, axis_is_named_otherwise
/// Post:    the program compiles if and only if check_axes<L, Wanted>().ok()
/// Cost:    one instantiation for each type; nothing at run time
/// Source:  plait's own
/// Example: require_axes<"nchw">(nhwc<1, 8, 8, 3>()): the axes are n, c, h and w, whatever their order in memory
template <detail::letter_list Wanted, class L>
constexpr void require_axes(const L&) {
    static_cast<void>(allowed<detail::check_axes<L, Wanted>()>);
}

namespace detail {
/// Two equal lists of letters. A concept of its own, because compilers then print both lists if they differ.
template <class Have, class Wanted>
concept same_axes = std::same_as<Have, Wanted>;
}  // namespace detail

/// A layout whose type names these axes in this order. For the layout in memory, use `matches`.
///
/// Example: with_axes<OIhw16i16o<64, 64, 3, 3>, "oihw">, and with_axes<hwio<...>, "oihw">; not of nchw<...>
template <class L, detail::letter_list Letters>
concept with_axes = detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters_in<Letters>>;

namespace detail {
/// Checks that there is one letter per axis; fails with rank_differs.
constexpr verdict check_name_count(const layout& l, const letter_list& letters) {
    if (l.ndims() != letters.size()) return {reason::rank_differs, -1, letters.size(), l.ndims()};
    return {};
}
}  // namespace detail

/// Names the axes, replacing any names that they have.
///
/// Pre:     one letter per axis; refused by the compiler: rank_differs
/// Post:    with_axes<decltype(name_axes<Letters>(l)), Letters>
/// Cost:    one instantiation for each type; for a bound layout, its extents are copied
/// Source:  plait's own
/// Example: name_axes<"oihw">(layout_c<layout({64, 64, 3, 3}, "acdb")>)
template <detail::letter_list Letters, layout L>
[[nodiscard]] constexpr auto name_axes(layout_constant<L> l) {
    static_cast<void>(allowed<detail::check_name_count(L, Letters)>);
    return detail::with_letters<Letters>(l);
}
template <detail::letter_list Letters, layout L>
[[nodiscard]] constexpr auto name_axes(const bound_layout<L>& l) {
    static_cast<void>(allowed<detail::check_name_count(L, Letters)>);
    return detail::with_letters<Letters>(l);
}

template <class L, char... Letters, std::integral... Values>
constexpr auto apply_to(const named_layout<L, Letters...>& l, operation<detail::bind_rule> operation,
                        Values... values) {
    return detail::with_letters<detail::axis_letters<Letters...>::list()>(
        operation(detail::without_names(l), values...));
}

}  // namespace plait
