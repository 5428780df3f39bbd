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

// OF_2(nc) is FORMAT(nc, 7, 5), and so on.
#define OF_1(name) FORMAT(name, 7)
#define OF_2(name) FORMAT(name, 7, 5)
#define OF_3(name) FORMAT(name, 7, 5, 3)
#define OF_4(name) FORMAT(name, 7, 5, 3, 2)
#define OF_5(name) FORMAT(name, 7, 5, 3, 2, 4)
#define OF_6(name) FORMAT(name, 7, 5, 3, 2, 4, 6)

// clang-format off
constexpr entry table[] = {
    OF_1(a), OF_2(ab), OF_2(ba), OF_2(nc), OF_2(cn), OF_2(oi), OF_2(io), OF_2(BA16a16b), OF_2(BA16a32b),
    OF_2(BA16a48b), OF_2(BA16a64b), OF_2(BA16a16b2a), OF_2(BA16a32b2a), OF_2(BA16a48b2a), OF_2(BA16a64b2a),
    OF_2(BA16a16b4a), OF_2(BA16a32b4a), OF_2(BA16a48b4a), OF_3(abc), OF_3(acb), OF_3(bac), OF_3(bca), OF_3(cab),
    OF_3(cba), OF_3(ncw), OF_3(nwc), OF_3(wio), OF_3(tnc), OF_3(ntc), OF_3(nCw16c), OF_3(OIw8i8o), OF_3(nCw4c),
    OF_3(nCw8c), OF_3(oiw), OF_3(owi), OF_3(iow), OF_3(OIw16i16o), OF_3(OIw16o16i), OF_3(aCB16b64c), OF_3(aCB16b64c4b),
    OF_4(abcd), OF_4(acdb), OF_4(cdba), OF_4(nchw), OF_4(nhwc), OF_4(chwn), OF_4(oihw), OF_4(hwio), OF_4(ihwo),
    OF_4(iohw), OF_4(Ohwi32o), OF_4(ldnc), OF_4(ldio), OF_4(ldoi), OF_4(ldgo), OF_4(abdc), OF_4(acbd), OF_4(adbc),
    OF_4(bcda), OF_4(bacd), OF_4(dcab), OF_4(nChw4c), OF_4(NChw32n32c), OF_4(ohwi), OF_4(goiw), OF_4(OIhw4i4o),
    OF_4(OIhw8i8o), OF_4(OIhw8o8i), OF_4(OIhw16o16i), OF_4(Oihw4o), OF_4(Oihw8o), OF_4(Oihw16o), OF_4(Ohwi4o),
    OF_4(Ohwi8o), OF_4(Ohwi16o), OF_4(OIhw8o16i2o), OF_4(OIhw2i8o4i), OF_4(OIhw16i16o4i), OF_4(OIhw16i32o4i),
    OF_4(OIhw16i48o4i), OF_4(Goiw8g), OF_4(gOIw16i16o), OF_5(ncdhw), OF_5(ndhwc), OF_5(nCdhw16c), OF_5(hwigo),
    OF_5(gOIhw4i16o4i), OF_5(OIdhw8i8o), OF_5(ldigo), OF_5(ldgoi), OF_5(abcde), OF_5(acdeb), OF_5(nCdhw4c),
    OF_5(nCdhw8c), OF_5(nCdhw32c), OF_5(NCdhw16n16c), OF_5(oidhw), OF_5(odhwi), OF_5(dhwio), OF_5(goihw), OF_5(gohwi),
    OF_5(giohw), OF_5(OIdhw16i16o), OF_5(OIdhw4i16o4i), OF_5(OIdhw8i16o2i), OF_5(Goihw4g), OF_5(Goihw8g),
    OF_5(Goihw32g), OF_5(gOIhw8i8o), OF_5(gOIhw16i16o), OF_5(gOIhw8i16o2i), OF_5(gOIhw2i8o4i), OF_6(goidhw),
    OF_6(dhwigo), OF_6(gOIdhw16i16o), OF_6(Goidhw16g), OF_6(gOIdhw4i16o4i), FORMAT(nChw8c, 7, 17, 3, 2),
    FORMAT(nChw16c, 7, 17, 3, 2), FORMAT(nChw32c, 7, 17, 3, 2), FORMAT(NChw16n16c, 7, 17, 3, 2),
    FORMAT(OIhw16i16o, 7, 17, 3, 2), FORMAT(IOhw16o16i, 7, 17, 3, 2), FORMAT(OhwI16i16o, 7, 17, 3, 2),
    FORMAT(OIhw8i16o2i, 7, 17, 3, 2), FORMAT(OIhw4i16o4i, 33, 17, 3, 2), FORMAT(OIhw16i64o4i, 7, 17, 3, 2),
    FORMAT(Goiw16g, 33, 5, 3, 2), FORMAT(Goihw16g, 33, 5, 3, 2, 4), FORMAT(BA16a64b4a, 17, 65),
    FORMAT(aCB16b64c2b, 7, 17, 65), FORMAT(nchw, dynamic, 5, dynamic, 2),
    FORMAT(nChw16c, dynamic, 64, dynamic, dynamic)
};
// clang-format on

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
