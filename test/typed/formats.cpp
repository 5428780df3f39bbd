#include <plait/typed/formats.hpp>

#include "support/small_layouts.hpp"

#include <plait/algebra/format_name.hpp>

#include <type_traits>

namespace test_typed_formats { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::formats;

struct entry {
    layout value;
    layout of_its_name;
};

// The macro uses the name twice, so that it cannot differ from the tag. The namespace formats has all of them. The
// table has all formats, because the compiler parses a tag only if its format is used.
#define FORMAT(name, ...) \
    { plait::formats::name<__VA_ARGS__>::value, layout({__VA_ARGS__}, #name) }

constexpr entry table[] = {
    FORMAT(a, 7),
    FORMAT(ab, 7, 5),
    FORMAT(ba, 7, 5),
    FORMAT(nc, 7, 5),
    FORMAT(cn, 7, 5),
    FORMAT(oi, 7, 5),
    FORMAT(io, 7, 5),
    FORMAT(abc, 7, 5, 3),
    FORMAT(acb, 7, 5, 3),
    FORMAT(bac, 7, 5, 3),
    FORMAT(bca, 7, 5, 3),
    FORMAT(cab, 7, 5, 3),
    FORMAT(cba, 7, 5, 3),
    FORMAT(ncw, 7, 5, 3),
    FORMAT(nwc, 7, 5, 3),
    FORMAT(wio, 7, 5, 3),
    FORMAT(tnc, 7, 5, 3),
    FORMAT(ntc, 7, 5, 3),
    FORMAT(nCw16c, 7, 5, 3),
    FORMAT(OIw8i8o, 7, 5, 3),
    FORMAT(abcd, 7, 5, 3, 2),
    FORMAT(acdb, 7, 5, 3, 2),
    FORMAT(cdba, 7, 5, 3, 2),
    FORMAT(nchw, 7, 5, 3, 2),
    FORMAT(nhwc, 7, 5, 3, 2),
    FORMAT(chwn, 7, 5, 3, 2),
    FORMAT(nChw8c, 7, 17, 3, 2),
    FORMAT(nChw16c, 7, 17, 3, 2),
    FORMAT(nChw32c, 7, 17, 3, 2),
    FORMAT(NChw16n16c, 7, 17, 3, 2),
    FORMAT(oihw, 7, 5, 3, 2),
    FORMAT(hwio, 7, 5, 3, 2),
    FORMAT(ihwo, 7, 5, 3, 2),
    FORMAT(iohw, 7, 5, 3, 2),
    FORMAT(OIhw16i16o, 7, 17, 3, 2),
    FORMAT(IOhw16o16i, 7, 17, 3, 2),
    FORMAT(Ohwi32o, 7, 5, 3, 2),
    FORMAT(OhwI16i16o, 7, 17, 3, 2),
    FORMAT(OIhw8i16o2i, 7, 17, 3, 2),
    FORMAT(OIhw4i16o4i, 33, 17, 3, 2),
    FORMAT(OIhw16i64o4i, 7, 17, 3, 2),
    FORMAT(Goiw16g, 33, 5, 3, 2),
    FORMAT(ldnc, 7, 5, 3, 2),
    FORMAT(ldio, 7, 5, 3, 2),
    FORMAT(ldoi, 7, 5, 3, 2),
    FORMAT(ldgo, 7, 5, 3, 2),
    FORMAT(ncdhw, 7, 5, 3, 2, 4),
    FORMAT(ndhwc, 7, 5, 3, 2, 4),
    FORMAT(nCdhw16c, 7, 5, 3, 2, 4),
    FORMAT(hwigo, 7, 5, 3, 2, 4),
    FORMAT(Goihw16g, 33, 5, 3, 2, 4),
    FORMAT(gOIhw4i16o4i, 7, 5, 3, 2, 4),
    FORMAT(OIdhw8i8o, 7, 5, 3, 2, 4),
    FORMAT(ldigo, 7, 5, 3, 2, 4),
    FORMAT(ldgoi, 7, 5, 3, 2, 4),
    FORMAT(goidhw, 7, 5, 3, 2, 4, 6),
    FORMAT(dhwigo, 7, 5, 3, 2, 4, 6),
    FORMAT(gOIdhw16i16o, 7, 5, 3, 2, 4, 6),
    FORMAT(BA16a64b4a, 17, 65),
    FORMAT(aCB16b64c2b, 7, 17, 65),
    FORMAT(BA16a16b, 7, 5),
    FORMAT(BA16a32b, 7, 5),
    FORMAT(BA16a48b, 7, 5),
    FORMAT(BA16a64b, 7, 5),
    FORMAT(BA16a16b2a, 7, 5),
    FORMAT(BA16a32b2a, 7, 5),
    FORMAT(BA16a48b2a, 7, 5),
    FORMAT(BA16a64b2a, 7, 5),
    FORMAT(BA16a16b4a, 7, 5),
    FORMAT(BA16a32b4a, 7, 5),
    FORMAT(BA16a48b4a, 7, 5),
    FORMAT(nCw4c, 7, 5, 3),
    FORMAT(nCw8c, 7, 5, 3),
    FORMAT(oiw, 7, 5, 3),
    FORMAT(owi, 7, 5, 3),
    FORMAT(iow, 7, 5, 3),
    FORMAT(OIw16i16o, 7, 5, 3),
    FORMAT(OIw16o16i, 7, 5, 3),
    FORMAT(aCB16b64c, 7, 5, 3),
    FORMAT(aCB16b64c4b, 7, 5, 3),
    FORMAT(abdc, 7, 5, 3, 2),
    FORMAT(acbd, 7, 5, 3, 2),
    FORMAT(adbc, 7, 5, 3, 2),
    FORMAT(bcda, 7, 5, 3, 2),
    FORMAT(bacd, 7, 5, 3, 2),
    FORMAT(dcab, 7, 5, 3, 2),
    FORMAT(nChw4c, 7, 5, 3, 2),
    FORMAT(NChw32n32c, 7, 5, 3, 2),
    FORMAT(ohwi, 7, 5, 3, 2),
    FORMAT(goiw, 7, 5, 3, 2),
    FORMAT(OIhw4i4o, 7, 5, 3, 2),
    FORMAT(OIhw8i8o, 7, 5, 3, 2),
    FORMAT(OIhw8o8i, 7, 5, 3, 2),
    FORMAT(OIhw16o16i, 7, 5, 3, 2),
    FORMAT(Oihw4o, 7, 5, 3, 2),
    FORMAT(Oihw8o, 7, 5, 3, 2),
    FORMAT(Oihw16o, 7, 5, 3, 2),
    FORMAT(Ohwi4o, 7, 5, 3, 2),
    FORMAT(Ohwi8o, 7, 5, 3, 2),
    FORMAT(Ohwi16o, 7, 5, 3, 2),
    FORMAT(OIhw8o16i2o, 7, 5, 3, 2),
    FORMAT(OIhw2i8o4i, 7, 5, 3, 2),
    FORMAT(OIhw16i16o4i, 7, 5, 3, 2),
    FORMAT(OIhw16i32o4i, 7, 5, 3, 2),
    FORMAT(OIhw16i48o4i, 7, 5, 3, 2),
    FORMAT(Goiw8g, 7, 5, 3, 2),
    FORMAT(gOIw16i16o, 7, 5, 3, 2),
    FORMAT(abcde, 7, 5, 3, 2, 4),
    FORMAT(acdeb, 7, 5, 3, 2, 4),
    FORMAT(nCdhw4c, 7, 5, 3, 2, 4),
    FORMAT(nCdhw8c, 7, 5, 3, 2, 4),
    FORMAT(nCdhw32c, 7, 5, 3, 2, 4),
    FORMAT(NCdhw16n16c, 7, 5, 3, 2, 4),
    FORMAT(oidhw, 7, 5, 3, 2, 4),
    FORMAT(odhwi, 7, 5, 3, 2, 4),
    FORMAT(dhwio, 7, 5, 3, 2, 4),
    FORMAT(goihw, 7, 5, 3, 2, 4),
    FORMAT(gohwi, 7, 5, 3, 2, 4),
    FORMAT(giohw, 7, 5, 3, 2, 4),
    FORMAT(OIdhw16i16o, 7, 5, 3, 2, 4),
    FORMAT(OIdhw4i16o4i, 7, 5, 3, 2, 4),
    FORMAT(OIdhw8i16o2i, 7, 5, 3, 2, 4),
    FORMAT(Goihw4g, 7, 5, 3, 2, 4),
    FORMAT(Goihw8g, 7, 5, 3, 2, 4),
    FORMAT(Goihw32g, 7, 5, 3, 2, 4),
    FORMAT(gOIhw8i8o, 7, 5, 3, 2, 4),
    FORMAT(gOIhw16i16o, 7, 5, 3, 2, 4),
    FORMAT(gOIhw8i16o2i, 7, 5, 3, 2, 4),
    FORMAT(gOIhw2i8o4i, 7, 5, 3, 2, 4),
    FORMAT(Goidhw16g, 7, 5, 3, 2, 4, 6),
    FORMAT(gOIdhw4i16o4i, 7, 5, 3, 2, 4, 6),
    FORMAT(nchw, dynamic, 5, dynamic, 2),
    FORMAT(nChw16c, dynamic, 64, dynamic, dynamic),
};

TEST_CASE("formats: each equals the layout of its name") {
    STATIC_CHECK([] {
        for (const entry& format : table)
            if (format.value != format.of_its_name || !check_layout(format.value).ok()) return false;
        return true;
    }());
}

TEST_CASE("formats: are separate layout types, and convert to the constant and to the value") {
    using blocked = nChw16c<2, 17, 5, 4>;
    STATIC_CHECK(std::is_empty_v<blocked>);
    STATIC_CHECK(layout_type<blocked>);
    STATIC_CHECK(std::is_base_of_v<layout_constant<layout({2, 17, 5, 4}, "aBcd16b")>, blocked>);
    STATIC_CHECK(!std::is_same_v<nchw<2, 17, 5, 4>, oihw<2, 17, 5, 4>>);
    STATIC_CHECK(nchw<2, 17, 5, 4>::value == oihw<2, 17, 5, 4>::value);
    STATIC_CHECK(static_cast<layout>(blocked{}) == blocked::value);
    STATIC_CHECK(format_name(blocked{}) == "aBcd16b");
    STATIC_CHECK(std::is_same_v<format<"any", 2, 3>, layout_constant<layout({2, 3}, "any")>>);
}

TEST_CASE("formats: the layout and the base of a tag with extents") {
    STATIC_CHECK(layout_of_format<format_tag("ba"), 2, 3>() == layout({2, 3}, "ba"));
    STATIC_CHECK(listed_format<"nhwc", 2, 5, 3, 4>::value == layout({2, 5, 3, 4}, "nhwc"));
    STATIC_CHECK(std::is_same_v<listed_format<"nhwc", 2, 5, 3, 4>, format<"nhwc", 2, 5, 3, 4>>);
}

}}  // namespace test_typed_formats
