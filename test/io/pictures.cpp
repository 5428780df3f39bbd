// Compares pictures with files that were checked by eye. test/io/pictures/README.md describes how to make them anew.

#include <plait/io/draw_reorder.hpp>
#include <plait/io/print_layout.hpp>

#include <plait/algebra/slice.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace test_io_pictures {

using namespace plait;

namespace {

void compare(const std::string& name, const std::string& drawn) {
    const std::string path = std::string(PLAIT_TEST_DATA) + "/../io/pictures/" + name;
    if (std::getenv("PLAIT_DRAW_PICTURES") != nullptr) {
        std::ofstream file(path, std::ios::binary);
        file << drawn;
        REQUIRE(file.flush());
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    INFO(name);
    CHECK(text.str().size() == drawn.size());
    CHECK((text.str() == drawn));
}
void compare(const std::string& name, const layout& l, const std::string& title) {
    compare(name + ".svg", draw(l, drawing_options::of(title)));
}

}  // namespace

TEST_CASE("pictures: equal the files that were checked by eye") {
    compare("nChw8c", layout({1, 17, 2, 3}, "nChw8c"), "nChw8c 1x17x2x3");
    compare("OIhw4i16o4i", layout({20, 9, 3, 3}, "OIhw4i16o4i"), "OIhw4i16o4i 20x9x3x3");
    compare("gaps", layout({3, 4}, strides{6, 1}), "ab:6x1 3x4");
    compare("long_gaps", layout({3, 4}, strides{1000, 1}), "ab:1000x1 3x4");
    compare("six_axes", layout({2, 2, 2, 2, 2, 3}, "abcdef"), "abcdef 2x2x2x2x2x3");
    compare("broadcast", layout({3, 4}, strides{0, 1}), "ab:0x1 3x4");
    compare("slice", slice(layout({2, 17, 2, 3}, "nChw8c"), 1, 11), "channel 11 of nChw8c 2x17x2x3");
    compare("vector", layout({7}, "a"), "x 7");
    const layout plain({1, 17, 2, 3}, "nchw"), blocked({1, 17, 2, 3}, "nChw8c");
    reorder_drawing_options options;
    options.src = drawing_options::of("nchw 1x17x2x3");
    options.dst = drawing_options::of("nChw8c 1x17x2x3");
    compare("reorder.svg", draw_reorder(plain, blocked, options));
    compare("broadcast.tex", draw_tikz(layout({3, 4}, strides{0, 1}), drawing_options::of("ab:0x1 3x4")));
    compare("nChw8c.txt", print_layout(blocked, options.dst));
}

}  // namespace test_io_pictures
