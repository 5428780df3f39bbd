#pragma once
// Named formats of weights, the parameters of a network.

#include <plait/typed/listed_format.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Plain.
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

// Blocked.
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

// For grouped and depthwise convolutions.
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

// For recurrent networks.
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

// All of them in one namespace, too.
namespace formats {
using plait::dhwigo;
using plait::dhwio;
using plait::giohw;
using plait::gohwi;
using plait::goidhw;
using plait::Goidhw16g;
using plait::gOIdhw16i16o;
using plait::gOIdhw4i16o4i;
using plait::goihw;
using plait::Goihw16g;
using plait::gOIhw16i16o;
using plait::gOIhw2i8o4i;
using plait::Goihw32g;
using plait::Goihw4g;
using plait::gOIhw4i16o4i;
using plait::Goihw8g;
using plait::gOIhw8i16o2i;
using plait::gOIhw8i8o;
using plait::goiw;
using plait::Goiw16g;
using plait::gOIw16i16o;
using plait::Goiw8g;
using plait::hwigo;
using plait::hwio;
using plait::ihwo;
using plait::iohw;
using plait::IOhw16o16i;
using plait::iow;
using plait::ldgo;
using plait::ldgoi;
using plait::ldigo;
using plait::ldio;
using plait::ldoi;
using plait::odhwi;
using plait::ohwi;
using plait::OhwI16i16o;
using plait::Ohwi16o;
using plait::Ohwi32o;
using plait::Ohwi4o;
using plait::Ohwi8o;
using plait::oidhw;
using plait::OIdhw16i16o;
using plait::OIdhw4i16o4i;
using plait::OIdhw8i16o2i;
using plait::OIdhw8i8o;
using plait::oihw;
using plait::OIhw16i16o;
using plait::OIhw16i16o4i;
using plait::OIhw16i32o4i;
using plait::OIhw16i48o4i;
using plait::OIhw16i64o4i;
using plait::Oihw16o;
using plait::OIhw16o16i;
using plait::OIhw2i8o4i;
using plait::OIhw4i16o4i;
using plait::OIhw4i4o;
using plait::Oihw4o;
using plait::OIhw8i16o2i;
using plait::OIhw8i8o;
using plait::Oihw8o;
using plait::OIhw8o16i2o;
using plait::OIhw8o8i;
using plait::oiw;
using plait::OIw16i16o;
using plait::OIw16o16i;
using plait::OIw8i8o;
using plait::owi;
using plait::wio;
}  // namespace formats

}  // namespace plait
