#pragma once
// Named formats: layouts as types whose names appear in errors and debuggers. One line adds one. Any other tag:
// layout_c<layout({...}, "tag")>. Those of one or two letters are in plait::formats: names so short are left to who
// uses the namespace plait.

#include <plait/typed/named_layout.hpp>

namespace plait {

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

// Plain tensors in abstract letters.
namespace formats {
template <dim_t... Extents>
struct a : format<"a", Extents...> {};
template <dim_t... Extents>
struct ab : format<"ab", Extents...> {};
template <dim_t... Extents>
struct ba : format<"ba", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct abc : format<"abc", Extents...> {};
template <dim_t... Extents>
struct acb : format<"acb", Extents...> {};
template <dim_t... Extents>
struct bac : format<"bac", Extents...> {};
template <dim_t... Extents>
struct bca : format<"bca", Extents...> {};
template <dim_t... Extents>
struct cab : format<"cab", Extents...> {};
template <dim_t... Extents>
struct cba : format<"cba", Extents...> {};
template <dim_t... Extents>
struct abcd : format<"abcd", Extents...> {};
template <dim_t... Extents>
struct abdc : format<"abdc", Extents...> {};
template <dim_t... Extents>
struct acbd : format<"acbd", Extents...> {};
template <dim_t... Extents>
struct acdb : format<"acdb", Extents...> {};
template <dim_t... Extents>
struct adbc : format<"adbc", Extents...> {};
template <dim_t... Extents>
struct bcda : format<"bcda", Extents...> {};
template <dim_t... Extents>
struct bacd : format<"bacd", Extents...> {};
template <dim_t... Extents>
struct cdba : format<"cdba", Extents...> {};
template <dim_t... Extents>
struct dcab : format<"dcab", Extents...> {};
template <dim_t... Extents>
struct abcde : format<"abcde", Extents...> {};
template <dim_t... Extents>
struct acdeb : format<"acdeb", Extents...> {};

// Activations, plain.
namespace formats {
template <dim_t... Extents>
struct nc : format<"nc", Extents...> {};
template <dim_t... Extents>
struct cn : format<"cn", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct ncw : format<"ncw", Extents...> {};
template <dim_t... Extents>
struct nwc : format<"nwc", Extents...> {};
template <dim_t... Extents>
struct nchw : format<"nchw", Extents...> {};
template <dim_t... Extents>
struct nhwc : format<"nhwc", Extents...> {};
template <dim_t... Extents>
struct chwn : format<"chwn", Extents...> {};
template <dim_t... Extents>
struct ncdhw : format<"ncdhw", Extents...> {};
template <dim_t... Extents>
struct ndhwc : format<"ndhwc", Extents...> {};

// Activations, channels in blocks.
template <dim_t... Extents>
struct nCw4c : format<"nCw4c", Extents...> {};
template <dim_t... Extents>
struct nCw8c : format<"nCw8c", Extents...> {};
template <dim_t... Extents>
struct nCw16c : format<"nCw16c", Extents...> {};
template <dim_t... Extents>
struct nChw4c : format<"nChw4c", Extents...> {};
template <dim_t... Extents>
struct nChw8c : format<"nChw8c", Extents...> {};
template <dim_t... Extents>
struct nChw16c : format<"nChw16c", Extents...> {};
template <dim_t... Extents>
struct nChw32c : format<"nChw32c", Extents...> {};
template <dim_t... Extents>
struct nCdhw4c : format<"nCdhw4c", Extents...> {};
template <dim_t... Extents>
struct nCdhw8c : format<"nCdhw8c", Extents...> {};
template <dim_t... Extents>
struct nCdhw16c : format<"nCdhw16c", Extents...> {};
template <dim_t... Extents>
struct nCdhw32c : format<"nCdhw32c", Extents...> {};
template <dim_t... Extents>
struct NChw16n16c : format<"NChw16n16c", Extents...> {};
template <dim_t... Extents>
struct NChw32n32c : format<"NChw32n32c", Extents...> {};
template <dim_t... Extents>
struct NCdhw16n16c : format<"NCdhw16n16c", Extents...> {};

// Weights, plain.
namespace formats {
template <dim_t... Extents>
struct oi : format<"oi", Extents...> {};
template <dim_t... Extents>
struct io : format<"io", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct oiw : format<"oiw", Extents...> {};
template <dim_t... Extents>
struct owi : format<"owi", Extents...> {};
template <dim_t... Extents>
struct iow : format<"iow", Extents...> {};
template <dim_t... Extents>
struct wio : format<"wio", Extents...> {};
template <dim_t... Extents>
struct oihw : format<"oihw", Extents...> {};
template <dim_t... Extents>
struct ohwi : format<"ohwi", Extents...> {};
template <dim_t... Extents>
struct ihwo : format<"ihwo", Extents...> {};
template <dim_t... Extents>
struct hwio : format<"hwio", Extents...> {};
template <dim_t... Extents>
struct iohw : format<"iohw", Extents...> {};
template <dim_t... Extents>
struct oidhw : format<"oidhw", Extents...> {};
template <dim_t... Extents>
struct odhwi : format<"odhwi", Extents...> {};
template <dim_t... Extents>
struct dhwio : format<"dhwio", Extents...> {};
template <dim_t... Extents>
struct goiw : format<"goiw", Extents...> {};
template <dim_t... Extents>
struct goihw : format<"goihw", Extents...> {};
template <dim_t... Extents>
struct gohwi : format<"gohwi", Extents...> {};
template <dim_t... Extents>
struct hwigo : format<"hwigo", Extents...> {};
template <dim_t... Extents>
struct giohw : format<"giohw", Extents...> {};
template <dim_t... Extents>
struct goidhw : format<"goidhw", Extents...> {};
template <dim_t... Extents>
struct dhwigo : format<"dhwigo", Extents...> {};

// Weights, blocked.
template <dim_t... Extents>
struct OIw8i8o : format<"OIw8i8o", Extents...> {};
template <dim_t... Extents>
struct OIw16i16o : format<"OIw16i16o", Extents...> {};
template <dim_t... Extents>
struct OIw16o16i : format<"OIw16o16i", Extents...> {};
template <dim_t... Extents>
struct OIhw4i4o : format<"OIhw4i4o", Extents...> {};
template <dim_t... Extents>
struct OIhw8i8o : format<"OIhw8i8o", Extents...> {};
template <dim_t... Extents>
struct OIhw8o8i : format<"OIhw8o8i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i16o : format<"OIhw16i16o", Extents...> {};
template <dim_t... Extents>
struct OIhw16o16i : format<"OIhw16o16i", Extents...> {};
template <dim_t... Extents>
struct IOhw16o16i : format<"IOhw16o16i", Extents...> {};
template <dim_t... Extents>
struct Oihw4o : format<"Oihw4o", Extents...> {};
template <dim_t... Extents>
struct Oihw8o : format<"Oihw8o", Extents...> {};
template <dim_t... Extents>
struct Oihw16o : format<"Oihw16o", Extents...> {};
template <dim_t... Extents>
struct Ohwi4o : format<"Ohwi4o", Extents...> {};
template <dim_t... Extents>
struct Ohwi8o : format<"Ohwi8o", Extents...> {};
template <dim_t... Extents>
struct Ohwi16o : format<"Ohwi16o", Extents...> {};
template <dim_t... Extents>
struct Ohwi32o : format<"Ohwi32o", Extents...> {};
template <dim_t... Extents>
struct OhwI16i16o : format<"OhwI16i16o", Extents...> {};
template <dim_t... Extents>
struct OIhw8i16o2i : format<"OIhw8i16o2i", Extents...> {};
template <dim_t... Extents>
struct OIhw8o16i2o : format<"OIhw8o16i2o", Extents...> {};
template <dim_t... Extents>
struct OIhw4i16o4i : format<"OIhw4i16o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw2i8o4i : format<"OIhw2i8o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i16o4i : format<"OIhw16i16o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i32o4i : format<"OIhw16i32o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i48o4i : format<"OIhw16i48o4i", Extents...> {};
template <dim_t... Extents>
struct OIhw16i64o4i : format<"OIhw16i64o4i", Extents...> {};
template <dim_t... Extents>
struct OIdhw8i8o : format<"OIdhw8i8o", Extents...> {};
template <dim_t... Extents>
struct OIdhw16i16o : format<"OIdhw16i16o", Extents...> {};
template <dim_t... Extents>
struct OIdhw4i16o4i : format<"OIdhw4i16o4i", Extents...> {};
template <dim_t... Extents>
struct OIdhw8i16o2i : format<"OIdhw8i16o2i", Extents...> {};

// Weights of grouped and depthwise convolutions.
template <dim_t... Extents>
struct Goiw8g : format<"Goiw8g", Extents...> {};
template <dim_t... Extents>
struct Goiw16g : format<"Goiw16g", Extents...> {};
template <dim_t... Extents>
struct Goihw4g : format<"Goihw4g", Extents...> {};
template <dim_t... Extents>
struct Goihw8g : format<"Goihw8g", Extents...> {};
template <dim_t... Extents>
struct Goihw16g : format<"Goihw16g", Extents...> {};
template <dim_t... Extents>
struct Goihw32g : format<"Goihw32g", Extents...> {};
template <dim_t... Extents>
struct Goidhw16g : format<"Goidhw16g", Extents...> {};
template <dim_t... Extents>
struct gOIw16i16o : format<"gOIw16i16o", Extents...> {};
template <dim_t... Extents>
struct gOIhw8i8o : format<"gOIhw8i8o", Extents...> {};
template <dim_t... Extents>
struct gOIhw16i16o : format<"gOIhw16i16o", Extents...> {};
template <dim_t... Extents>
struct gOIhw4i16o4i : format<"gOIhw4i16o4i", Extents...> {};
template <dim_t... Extents>
struct gOIhw8i16o2i : format<"gOIhw8i16o2i", Extents...> {};
template <dim_t... Extents>
struct gOIhw2i8o4i : format<"gOIhw2i8o4i", Extents...> {};
template <dim_t... Extents>
struct gOIdhw16i16o : format<"gOIdhw16i16o", Extents...> {};
template <dim_t... Extents>
struct gOIdhw4i16o4i : format<"gOIdhw4i16o4i", Extents...> {};

// Matrices packed for matrix multiplication.
template <dim_t... Extents>
struct BA16a16b : format<"BA16a16b", Extents...> {};
template <dim_t... Extents>
struct BA16a32b : format<"BA16a32b", Extents...> {};
template <dim_t... Extents>
struct BA16a48b : format<"BA16a48b", Extents...> {};
template <dim_t... Extents>
struct BA16a64b : format<"BA16a64b", Extents...> {};
template <dim_t... Extents>
struct BA16a16b2a : format<"BA16a16b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a32b2a : format<"BA16a32b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a48b2a : format<"BA16a48b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a64b2a : format<"BA16a64b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a16b4a : format<"BA16a16b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a32b4a : format<"BA16a32b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a48b4a : format<"BA16a48b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a64b4a : format<"BA16a64b4a", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c : format<"aCB16b64c", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c2b : format<"aCB16b64c2b", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c4b : format<"aCB16b64c4b", Extents...> {};

// Recurrent networks.
template <dim_t... Extents>
struct tnc : format<"tnc", Extents...> {};
template <dim_t... Extents>
struct ntc : format<"ntc", Extents...> {};
template <dim_t... Extents>
struct ldnc : format<"ldnc", Extents...> {};
template <dim_t... Extents>
struct ldigo : format<"ldigo", Extents...> {};
template <dim_t... Extents>
struct ldgoi : format<"ldgoi", Extents...> {};
template <dim_t... Extents>
struct ldio : format<"ldio", Extents...> {};
template <dim_t... Extents>
struct ldoi : format<"ldoi", Extents...> {};
template <dim_t... Extents>
struct ldgo : format<"ldgo", Extents...> {};

}  // namespace plait
