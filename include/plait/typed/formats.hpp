#pragma once
// Named formats: layouts as types whose names appear in errors and debuggers. One line adds one. Any other tag:
// layout_c<layout({...}, "tag")>. Those of one or two letters are in plait::formats: names so short are left to who
// uses the namespace plait.

#include <plait/typed/named_layout.hpp>

namespace plait {

/// The layout of a tag with extents that a type says.
///
/// Pre:     check_layout(dims{Extents...}, Tag).ok(), refused by the compiler with its reason
/// Post:    result == layout({Extents...}, Tag)
/// Cost:    one instantiation for each tag and extents; none when it runs
/// Source:  spec semantics 2
/// Example: layout_of_format<format_tag("ba"), 2, 3>() == layout({2, 3}, "ba")
template <format_tag Tag, dim_t... Extents>
constexpr layout layout_of_format() {
    constexpr expected<layout> attempt = make_layout(dims{Extents...}, Tag);
    return allowed<attempt.why> ? attempt.made : layout();
}

/// The base of a named format: the layout of a tag with the given extents, and the names of its axes.
///
/// Refused: as layout(dims, tag)
/// Post:    nChw16c<2, 17, 5, 4>::value == layout({2, 17, 5, 4}, "nChw16c"); with_axes<nChw16c<2, 17, 5, 4>, "nchw">
/// Example: examples/04_types.cpp
template <lettered_tag Tag, dim_t... Extents>
using format = decltype(with_letters<Tag.letters>(layout_constant<layout_of_format<Tag.tag, Extents...>()>()));

/// The same for the formats below, whose tags are read when one is used: who includes this pays for none that is not
/// named. A tag of one's own goes to `format`, which says at once what is wrong with it.
template <fixed_string Text, dim_t... Extents>
struct format_listed {
    static constexpr lettered_tag tag = lettered_tag(Text.characters);
    using type = decltype(with_letters<tag.letters>(layout_constant<layout_of_format<tag.tag, Extents...>()>()));
};
/// The base of each format below: what format<Text, Extents...> is, by the text of its tag.
///
/// Refused: (by the compiler) as layout(dims, tag)
/// Post:    listed_format<Text, Extents...>::value == layout({Extents...}, Text)
/// Example: listed_format<"nhwc", 2, 5, 3, 4>::value == layout({2, 5, 3, 4}, "nhwc")
template <fixed_string Text, dim_t... Extents>
using listed_format = typename format_listed<Text, Extents...>::type;

// Plain tensors in abstract letters.
namespace formats {
template <dim_t... Extents>
struct a : listed_format<"a", Extents...> {};
template <dim_t... Extents>
struct ab : listed_format<"ab", Extents...> {};
template <dim_t... Extents>
struct ba : listed_format<"ba", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct abc : listed_format<"abc", Extents...> {};
template <dim_t... Extents>
struct acb : listed_format<"acb", Extents...> {};
template <dim_t... Extents>
struct bac : listed_format<"bac", Extents...> {};
template <dim_t... Extents>
struct bca : listed_format<"bca", Extents...> {};
template <dim_t... Extents>
struct cab : listed_format<"cab", Extents...> {};
template <dim_t... Extents>
struct cba : listed_format<"cba", Extents...> {};
template <dim_t... Extents>
struct abcd : listed_format<"abcd", Extents...> {};
template <dim_t... Extents>
struct abdc : listed_format<"abdc", Extents...> {};
template <dim_t... Extents>
struct acbd : listed_format<"acbd", Extents...> {};
template <dim_t... Extents>
struct acdb : listed_format<"acdb", Extents...> {};
template <dim_t... Extents>
struct adbc : listed_format<"adbc", Extents...> {};
template <dim_t... Extents>
struct bcda : listed_format<"bcda", Extents...> {};
template <dim_t... Extents>
struct bacd : listed_format<"bacd", Extents...> {};
template <dim_t... Extents>
struct cdba : listed_format<"cdba", Extents...> {};
template <dim_t... Extents>
struct dcab : listed_format<"dcab", Extents...> {};
template <dim_t... Extents>
struct abcde : listed_format<"abcde", Extents...> {};
template <dim_t... Extents>
struct acdeb : listed_format<"acdeb", Extents...> {};

// Activations, plain.
namespace formats {
template <dim_t... Extents>
struct nc : listed_format<"nc", Extents...> {};
template <dim_t... Extents>
struct cn : listed_format<"cn", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct ncw : listed_format<"ncw", Extents...> {};
template <dim_t... Extents>
struct nwc : listed_format<"nwc", Extents...> {};
template <dim_t... Extents>
struct nchw : listed_format<"nchw", Extents...> {};
template <dim_t... Extents>
struct nhwc : listed_format<"nhwc", Extents...> {};
template <dim_t... Extents>
struct chwn : listed_format<"chwn", Extents...> {};
template <dim_t... Extents>
struct ncdhw : listed_format<"ncdhw", Extents...> {};
template <dim_t... Extents>
struct ndhwc : listed_format<"ndhwc", Extents...> {};

// Activations, channels in blocks.
template <dim_t... Extents>
struct nCw4c : listed_format<"nCw4c", Extents...> {};
template <dim_t... Extents>
struct nCw8c : listed_format<"nCw8c", Extents...> {};
template <dim_t... Extents>
struct nCw16c : listed_format<"nCw16c", Extents...> {};
template <dim_t... Extents>
struct nChw4c : listed_format<"nChw4c", Extents...> {};
template <dim_t... Extents>
struct nChw8c : listed_format<"nChw8c", Extents...> {};
template <dim_t... Extents>
struct nChw16c : listed_format<"nChw16c", Extents...> {};
template <dim_t... Extents>
struct nChw32c : listed_format<"nChw32c", Extents...> {};
template <dim_t... Extents>
struct nCdhw4c : listed_format<"nCdhw4c", Extents...> {};
template <dim_t... Extents>
struct nCdhw8c : listed_format<"nCdhw8c", Extents...> {};
template <dim_t... Extents>
struct nCdhw16c : listed_format<"nCdhw16c", Extents...> {};
template <dim_t... Extents>
struct nCdhw32c : listed_format<"nCdhw32c", Extents...> {};
template <dim_t... Extents>
struct NChw16n16c : listed_format<"NChw16n16c", Extents...> {};
template <dim_t... Extents>
struct NChw32n32c : listed_format<"NChw32n32c", Extents...> {};
template <dim_t... Extents>
struct NCdhw16n16c : listed_format<"NCdhw16n16c", Extents...> {};

// Weights, plain.
namespace formats {
template <dim_t... Extents>
struct oi : listed_format<"oi", Extents...> {};
template <dim_t... Extents>
struct io : listed_format<"io", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct oiw : listed_format<"oiw", Extents...> {};
template <dim_t... Extents>
struct owi : listed_format<"owi", Extents...> {};
template <dim_t... Extents>
struct iow : listed_format<"iow", Extents...> {};
template <dim_t... Extents>
struct wio : listed_format<"wio", Extents...> {};
template <dim_t... Extents>
struct oihw : listed_format<"oihw", Extents...> {};
template <dim_t... Extents>
struct ohwi : listed_format<"ohwi", Extents...> {};
template <dim_t... Extents>
struct ihwo : listed_format<"ihwo", Extents...> {};
template <dim_t... Extents>
struct hwio : listed_format<"hwio", Extents...> {};
template <dim_t... Extents>
struct iohw : listed_format<"iohw", Extents...> {};
template <dim_t... Extents>
struct oidhw : listed_format<"oidhw", Extents...> {};
template <dim_t... Extents>
struct odhwi : listed_format<"odhwi", Extents...> {};
template <dim_t... Extents>
struct dhwio : listed_format<"dhwio", Extents...> {};
template <dim_t... Extents>
struct goiw : listed_format<"goiw", Extents...> {};
template <dim_t... Extents>
struct goihw : listed_format<"goihw", Extents...> {};
template <dim_t... Extents>
struct gohwi : listed_format<"gohwi", Extents...> {};
template <dim_t... Extents>
struct hwigo : listed_format<"hwigo", Extents...> {};
template <dim_t... Extents>
struct giohw : listed_format<"giohw", Extents...> {};
template <dim_t... Extents>
struct goidhw : listed_format<"goidhw", Extents...> {};
template <dim_t... Extents>
struct dhwigo : listed_format<"dhwigo", Extents...> {};

// Weights, blocked.
template <dim_t... Extents>
struct OIw8i8o : listed_format<"OIw8i8o", Extents...> {};
template <dim_t... Extents>
struct OIw16i16o : listed_format<"OIw16i16o", Extents...> {};
template <dim_t... Extents>
struct OIw16o16i : listed_format<"OIw16o16i", Extents...> {};
template <dim_t... Extents>
struct OIhw4i4o : listed_format<"OIhw4i4o", Extents...> {};
template <dim_t... Extents>
struct OIhw8i8o : listed_format<"OIhw8i8o", Extents...> {};
template <dim_t... Extents>
struct OIhw8o8i : listed_format<"OIhw8o8i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i16o : listed_format<"OIhw16i16o", Extents...> {};
template <dim_t... Extents>
struct OIhw16o16i : listed_format<"OIhw16o16i", Extents...> {};
template <dim_t... Extents>
struct IOhw16o16i : listed_format<"IOhw16o16i", Extents...> {};
template <dim_t... Extents>
struct Oihw4o : listed_format<"Oihw4o", Extents...> {};
template <dim_t... Extents>
struct Oihw8o : listed_format<"Oihw8o", Extents...> {};
template <dim_t... Extents>
struct Oihw16o : listed_format<"Oihw16o", Extents...> {};
template <dim_t... Extents>
struct Ohwi4o : listed_format<"Ohwi4o", Extents...> {};
template <dim_t... Extents>
struct Ohwi8o : listed_format<"Ohwi8o", Extents...> {};
template <dim_t... Extents>
struct Ohwi16o : listed_format<"Ohwi16o", Extents...> {};
template <dim_t... Extents>
struct Ohwi32o : listed_format<"Ohwi32o", Extents...> {};
template <dim_t... Extents>
struct OhwI16i16o : listed_format<"OhwI16i16o", Extents...> {};
template <dim_t... Extents>
struct OIhw8i16o2i : listed_format<"OIhw8i16o2i", Extents...> {};
template <dim_t... Extents>
struct OIhw8o16i2o : listed_format<"OIhw8o16i2o", Extents...> {};
template <dim_t... Extents>
struct OIhw4i16o4i : listed_format<"OIhw4i16o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw2i8o4i : listed_format<"OIhw2i8o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i16o4i : listed_format<"OIhw16i16o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i32o4i : listed_format<"OIhw16i32o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i48o4i : listed_format<"OIhw16i48o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i64o4i : listed_format<"OIhw16i64o4i", Extents...> {};
template <dim_t... Extents>
struct OIdhw8i8o : listed_format<"OIdhw8i8o", Extents...> {};
template <dim_t... Extents>
struct OIdhw16i16o : listed_format<"OIdhw16i16o", Extents...> {};
template <dim_t... Extents>
struct OIdhw4i16o4i : listed_format<"OIdhw4i16o4i", Extents...> {};
template <dim_t... Extents>
struct OIdhw8i16o2i : listed_format<"OIdhw8i16o2i", Extents...> {};

// Weights of grouped and depthwise convolutions.
template <dim_t... Extents>
struct Goiw8g : listed_format<"Goiw8g", Extents...> {};
template <dim_t... Extents>
struct Goiw16g : listed_format<"Goiw16g", Extents...> {};
template <dim_t... Extents>
struct Goihw4g : listed_format<"Goihw4g", Extents...> {};
template <dim_t... Extents>
struct Goihw8g : listed_format<"Goihw8g", Extents...> {};
template <dim_t... Extents>
struct Goihw16g : listed_format<"Goihw16g", Extents...> {};
template <dim_t... Extents>
struct Goihw32g : listed_format<"Goihw32g", Extents...> {};
template <dim_t... Extents>
struct Goidhw16g : listed_format<"Goidhw16g", Extents...> {};
template <dim_t... Extents>
struct gOIw16i16o : listed_format<"gOIw16i16o", Extents...> {};
template <dim_t... Extents>
struct gOIhw8i8o : listed_format<"gOIhw8i8o", Extents...> {};
template <dim_t... Extents>
struct gOIhw16i16o : listed_format<"gOIhw16i16o", Extents...> {};
template <dim_t... Extents>
struct gOIhw4i16o4i : listed_format<"gOIhw4i16o4i", Extents...> {};
template <dim_t... Extents>
struct gOIhw8i16o2i : listed_format<"gOIhw8i16o2i", Extents...> {};
template <dim_t... Extents>
struct gOIhw2i8o4i : listed_format<"gOIhw2i8o4i", Extents...> {};
template <dim_t... Extents>
struct gOIdhw16i16o : listed_format<"gOIdhw16i16o", Extents...> {};
template <dim_t... Extents>
struct gOIdhw4i16o4i : listed_format<"gOIdhw4i16o4i", Extents...> {};

// Matrices packed for matrix multiplication.
template <dim_t... Extents>
struct BA16a16b : listed_format<"BA16a16b", Extents...> {};
template <dim_t... Extents>
struct BA16a32b : listed_format<"BA16a32b", Extents...> {};
template <dim_t... Extents>
struct BA16a48b : listed_format<"BA16a48b", Extents...> {};
template <dim_t... Extents>
struct BA16a64b : listed_format<"BA16a64b", Extents...> {};
template <dim_t... Extents>
struct BA16a16b2a : listed_format<"BA16a16b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a32b2a : listed_format<"BA16a32b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a48b2a : listed_format<"BA16a48b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a64b2a : listed_format<"BA16a64b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a16b4a : listed_format<"BA16a16b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a32b4a : listed_format<"BA16a32b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a48b4a : listed_format<"BA16a48b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a64b4a : listed_format<"BA16a64b4a", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c : listed_format<"aCB16b64c", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c2b : listed_format<"aCB16b64c2b", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c4b : listed_format<"aCB16b64c4b", Extents...> {};

// Recurrent networks.
template <dim_t... Extents>
struct tnc : listed_format<"tnc", Extents...> {};
template <dim_t... Extents>
struct ntc : listed_format<"ntc", Extents...> {};
template <dim_t... Extents>
struct ldnc : listed_format<"ldnc", Extents...> {};
template <dim_t... Extents>
struct ldigo : listed_format<"ldigo", Extents...> {};
template <dim_t... Extents>
struct ldgoi : listed_format<"ldgoi", Extents...> {};
template <dim_t... Extents>
struct ldio : listed_format<"ldio", Extents...> {};
template <dim_t... Extents>
struct ldoi : listed_format<"ldoi", Extents...> {};
template <dim_t... Extents>
struct ldgo : listed_format<"ldgo", Extents...> {};

}  // namespace plait
