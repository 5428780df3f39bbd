#include "support/static_check.hpp"

#include <sstream>

namespace test_io_print {

using namespace plait;

TEST_CASE("to_string: layouts, dims and verdicts have texts") {
    const layout blocked({2, 17, 5, 4}, "nChw8c");
    CHECK(to_string(blocked) == "aBcd8b 2x17x5x4");
    CHECK(to_string(dims{2, dynamic, 3}) == "2x?x3");
    CHECK(to_string(layout()) == "undef ");
    std::ostringstream out;
    out << blocked << ' ' << blocked.dims << ' ' << check_layout({2, -3}, "ab");
    CHECK(out.str() ==
          "aBcd8b 2x17x5x4 {2x17x5x4} dim_is_negative: the extent of axis 1 is -3, but must be at least 0");
    CHECK(describe(check_layout({2}, "ab"), blocked) ==
          "rank_differs: the format tag has 2 axes, but the extents have 1 (layout "
          "aBcd8b 2x17x5x4)");
}

TEST_CASE("explain: prints name, memory and digits, from the outermost to the innermost") {
    CHECK(explain(layout({2, 17, 5, 4}, "nChw8c")) ==
          "name      aBcd8b 2x17x5x4\n"
          "dims      2x17x5x4\n"
          "padded    2x24x5x4\n"
          "strides   480x160x32x8 elements\n"
          "elements  680, with padding 960\n"
          "memory    960 elements from offset 0, dense\n"
          "digits    axis  extent  stride\n"
          "             a       2     480\n"
          "             b       3     160\n"
          "             c       5      32\n"
          "             d       4       8\n"
          "             b       8       1\n");
    CHECK(explain(layout({3, 4}, strides{0, 2})).find("elements share places") != std::string::npos);
    CHECK(explain(layout({3, 4}, strides{8, 2})).find("with gaps") != std::string::npos);
    CHECK(explain(layout({3, 4}, "any")) == "name      any 3x4\n");
    CHECK(explain(layout({dynamic, 4}, "ab")).find("?") != std::string::npos);
}

}  // namespace test_io_print
