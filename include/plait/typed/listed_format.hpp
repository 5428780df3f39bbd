#pragma once
// The base of named formats: a layout as a type whose name is its tag. formats.hpp includes the lists of formats.

#include <plait/typed/named_layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the layout of a tag, with extents given as template arguments.
///
/// Pre:     check_layout(dims{Extents...}, Tag).ok(); otherwise the reason is a compile error
/// Post:    result == layout({Extents...}, Tag)
/// Cost:    one instantiation for each tag and extents; nothing at run time
/// Source:  spec semantics 2
/// Example: layout_of_format<format_tag("ba"), 2, 3>() == layout({2, 3}, "ba")
template <format_tag Tag, dim_t... Extents>
constexpr layout layout_of_format() {
    constexpr expected<layout> attempt = make_layout(dims{Extents...}, Tag);
    return allowed<attempt.error()> ? *attempt : layout();
}
}  // namespace detail

/// The base of a named format: the layout of a tag with the given extents, and the names of its axes.
///
/// Refused: as layout(dims, tag)
/// Post:    nChw16c<2, 17, 5, 4>::value == layout({2, 17, 5, 4}, "nChw16c"); with_axes<nChw16c<2, 17, 5, 4>, "nchw">
/// Example: examples/04_types.cpp
template <lettered_tag Tag, dim_t... Extents>
using format =
    decltype(detail::with_letters<Tag.letters>(layout_constant<detail::layout_of_format<Tag.tag, Extents...>()>()));

namespace detail {
/// The base of a listed format. The tag is parsed only if the format is used, so that unused formats of an included
/// list cost nothing. For other tags use `format`, which reports an invalid tag immediately.
template <fixed_string Text, dim_t... Extents>
struct format_listed {
    static constexpr lettered_tag tag = lettered_tag(Text.characters);
    using type = decltype(with_letters<tag.letters>(layout_constant<layout_of_format<tag.tag, Extents...>()>()));
};
}  // namespace detail
/// The base of each format in a list: format<Text, Extents...>, from the text of its tag.
///
/// Refused: (by the compiler) as layout(dims, tag)
/// Post:    listed_format<Text, Extents...>::value == layout({Extents...}, Text)
/// Example: listed_format<"nhwc", 2, 5, 3, 4>::value == layout({2, 5, 3, 4}, "nhwc")
template <fixed_string Text, dim_t... Extents>
using listed_format = typename detail::format_listed<Text, Extents...>::type;

}  // namespace plait
