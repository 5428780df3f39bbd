// Compares one picture of each form of output with a file that was checked by eye. The other tests of pictures check
// what is in them. test/io/pictures/README.md describes how to make the files anew.

#include <plait/io/draw.hpp>
#include <plait/io/print_layout.hpp>

#include "support/test_data.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace test_io_pictures { namespace {

using namespace plait;

void compare(const std::string& name, const std::string& drawn) {
    const std::string path = plait_test::data_folder() + "/../io/pictures/" + name;
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

TEST_CASE("pictures: equal the files that were checked by eye") {
    compare("gaps.svg", draw(layout({3, 4}, strides{6, 1}), drawing_options::of("ab:6x1 3x4")));
    compare("broadcast.tex", draw_tikz(layout({3, 4}, strides{0, 1}), drawing_options::of("ab:0x1 3x4")));
    compare("nChw8c.txt", print_layout(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3")));
}

}}  // namespace test_io_pictures
