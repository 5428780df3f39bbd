#pragma once
// Layouts whose axes have names in the type: nchw<...> is no oihw<...>, even where the memory is the same.

#include <plait/core/axis_letters.hpp>
#include <plait/typed/bound_layout.hpp>

namespace plait {

/// A layout_constant, or a bound_layout, whose axes have names.
///
/// The layout that it derives from is what it is in every way; the names are for with_axes. An operation that keeps
/// axes keeps their names; one that makes other axes drops all of them, and so does canonical_form, as two layouts of
/// the same memory have one.
///
/// Pre:     one letter an axis; name_axes checks it
/// Example: nhwc<1, 8, 8, 3> derives from named_layout<layout_constant<...>, 'n', 'c', 'h', 'w'>
template <class L, char... Letters>
struct named_layout : L {
    constexpr named_layout() = default;
    constexpr explicit named_layout(const L& l) : L(l) {}
};

namespace detail {
/// The names that a type derived from named_layout says. It is only declared: axis_letters_of names what it returns.
///
/// Pre:     none; the type of the pointer counts, not its value
/// Post:    the result is axis_letters<Letters...>, or axis_letters<> where the type says no names
/// Cost:    one overload resolution for each type; it is never called
/// Source:  plait's own
/// Example: axis_letters_of<nhwc<1, 8, 8, 3>> is axis_letters<'n', 'c', 'h', 'w'>
template <class L, char... Letters>
axis_letters<Letters...> letters_of_type(const named_layout<L, Letters...>*);
axis_letters<> letters_of_type(const void*);
/// The names of the axes that a type says; axis_letters<> where it says none.
template <class L>
using axis_letters_of = decltype(letters_of_type(static_cast<const L*>(nullptr)));

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

/// The same layout with names; without them where the type does not say so many axes, as that of a value does not.
template <letter_list Letters, class L>
constexpr auto with_letters(const L& l) {
    if constexpr (Letters.empty() || known_layout<L>.ndims() != Letters.size()) return l;
    else return [&]<char... Letter>(axis_letters<Letter...>) {
            return named_layout<L, Letter...>(l);
        }
    (axis_letters_in<Letters>());
}

/// Whether the axes that a type says are those asked for, by name and in this order.
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

/// Ends in a compile error that says which name stands where, unless the axes are those asked for.
///
/// Pre:     with_axes<L, Wanted>; refused by the compiler: rank_differs, axis_is_not_named, axis_is_named_otherwise
/// Post:    the program compiles exactly if check_axes<L, Wanted>().ok()
/// Cost:    one instantiation for each type; none when it runs
/// Source:  plait's own
/// Example: require_axes<"nchw">(nhwc<1, 8, 8, 3>()): its axes are n, c, h and w, whatever their order in memory
template <detail::letter_list Wanted, class L>
constexpr void require_axes(const L&) {
    static_cast<void>(allowed<detail::check_axes<L, Wanted>()>);
}

namespace detail {
/// The same two lists of letters; of its own, so that compilers print both where it does not hold.
template <class Have, class Wanted>
concept same_axes = std::same_as<Have, Wanted>;
}  // namespace detail

/// A layout whose type names these axes in this order, whatever it looks like in memory; `matches` is about that.
///
/// Example: with_axes<OIhw16i16o<64, 64, 3, 3>, "oihw">, and with_axes<hwio<...>, "oihw">; not of nchw<...>
template <class L, detail::letter_list Letters>
concept with_axes = detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters_in<Letters>>;

namespace detail {
/// Whether there is a letter for each axis; refused: rank_differs.
constexpr verdict check_name_count(const layout& l, const letter_list& letters) {
    if (l.ndims() != letters.size()) return {reason::rank_differs, -1, letters.size(), l.ndims()};
    return {};
}
}  // namespace detail

/// Gives the axes names, in place of those that they may have.
///
/// Pre:     one letter an axis; refused by the compiler: rank_differs
/// Post:    with_axes<decltype(name_axes<Letters>(l)), Letters>
/// Cost:    one instantiation for each type; of a bound layout its extents are copied
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
