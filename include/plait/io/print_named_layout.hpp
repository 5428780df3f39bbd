#pragma once
// Layouts whose axes have names in the type, as text in these names.

#include <plait/io/print.hpp>
#include <plait/typed/named_layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace detail {
/// The letters of a named layout as text, which ends in a NUL.
template <char... Letters>
inline constexpr char letters_text[] = {Letters..., '\0'};
}  // namespace detail

/// Returns the name of a layout in the letters of its type, and its extents. A layout that is a value has no letters,
/// so its name has a, b, c.
///
/// Pre:     none
/// Post:    to_string(static_cast<layout>(l)), in other letters
/// Cost:    allocates; O(digits squared) steps
/// Source:  spec semantics 10
/// Example: to_string(nhwc<1, 8, 8, 3>()) == "nhwc 1x8x8x3"
template <class L, char... Letters>
std::string to_string(const named_layout<L, Letters...>& l) {
    return detail::text_in_letters(l, detail::letters_text<Letters...>);
}
/// Writes a layout with names to a stream, as to_string.
///
/// Example: std::cout << nhwc<1, 8, 8, 3>() writes "nhwc 1x8x8x3"
template <class Traits, class L, char... Letters>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const named_layout<L, Letters...>& l) {
    return out << to_string(l).c_str();
}
/// Describes a layout with names in several lines, as explain of a layout with the letters of its type.
///
/// Pre:     none
/// Post:    explain(static_cast<layout>(l), the letters)
/// Cost:    allocates; O(digits squared) steps
/// Source:  plait's own; the name as spec semantics 10
/// Example: explain(nhwc<1, 8, 8, 3>()) begins with "name      nhwc 1x8x8x3"
template <class L, char... Letters>
std::string explain(const named_layout<L, Letters...>& l) {
    return explain(static_cast<const layout&>(static_cast<layout>(l)), detail::letters_text<Letters...>);
}

}  // namespace plait
