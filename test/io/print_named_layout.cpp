#include <plait/io/print_named_layout.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

#include "support/static_check.hpp"

#include <sstream>

namespace test_io_print_named_layout {

using namespace plait;

TEST_CASE("to_string, explain and streams: a type that names its axes is printed in these names") {
    CHECK(to_string(nhwc<1, 8, 8, 3>()) == "nhwc 1x8x8x3");
    CHECK(to_string(nChw16c<2, 17, 5, 4>()) == "nChw16c 2x17x5x4");
    CHECK(to_string(OIhw4i16o4i<17, 16, 3, 3>()) == "OIhw4i16o4i 17x16x3x3");
    CHECK(to_string(static_cast<layout>(nhwc<1, 8, 8, 3>())) == "acdb 1x8x8x3");
    CHECK(to_string(layout_constant<layout({1, 8, 8, 3}, "nhwc")>()) == "acdb 1x8x8x3");
    std::ostringstream out;
    out << nChw16c<2, 17, 5, 4>() << ", " << permute_axes(nChw16c<2, 17, 5, 4>(), permutation_c<0, 3, 1, 2>) << ", "
        << abc<1, 2, 3>();
    CHECK(out.str() == "nChw16c 2x17x5x4, nChw16c 2x5x4x17, abc 1x2x3");
    CHECK(explain(nchw<2, 3, 4, 5>()) == explain(layout({2, 3, 4, 5}, "nchw"), "nchw"));
    CHECK(explain(nChw16c<2, 17, 5, 4>()).substr(0, 27) == "name      nChw16c 2x17x5x4\n");
}

TEST_CASE("to_string: strides follow the tag, and a layout without a tag is printed as digits") {
    CHECK(to_string(name_axes<"nhw">(layout_c<layout({2, 3, 4}, strides{24, 8, 1})>)) == "nhw:24x8x1 2x3x4");
    const auto bound = bind(layout_c<layout({dynamic, 64, dynamic, dynamic}, "nChw16c")>, 2, 7, 9);
    CHECK(to_string(name_axes<"nchw">(bound)) == "nChw16c 2x64x7x9");
}

TEST_CASE("explain: a name is in the letters that were given, if they are letters") {
    const layout l({2, 17, 5, 4}, "nChw8c");
    const auto name_of = [&](const char* letters) {
        const std::string all = explain(l, letters);
        return all.substr(0, all.find('\n'));
    };
    CHECK(name_of("nchw") == "name      nChw8c 2x17x5x4");
    CHECK(name_of("bhsd") == "name      bHsd8h 2x17x5x4");
    CHECK(name_of("abcd") == "name      aBcd8b 2x17x5x4");
    CHECK(name_of("0123") == "name      aBcd8b 2x17x5x4");
    CHECK(name_of("nncc") == "name      aBcd8b 2x17x5x4");
    CHECK(explain(layout({3, 4}, "any"), "xy") == "name      any 3x4\n");
}

}  // namespace test_io_print_named_layout
