#include <plait/io/print_layout.hpp>

#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

namespace test_io_print_layout { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

int longest_line(const std::string& text) {
    int longest = 0, here = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++here;
        if (c == '\n') longest = std::max(longest, here - 1), here = 0;
    }
    return longest;
}
/// Counts the offsets in the grid, with the mark of padding. Captions and headings begin with a letter.
std::map<std::string, int> offsets_in(const std::string& text) {
    std::map<std::string, int> out;
    std::istringstream lines(text);
    std::string line;
    for (int k = 0; std::getline(lines, line); ++k) {
        std::istringstream words(line);
        if (k < 3) continue;  // title, memory, extents
        for (std::string word; words >> word;)
            if (!(word[0] >= 'a' && word[0] <= 'z')) ++out[word];
    }
    return out;
}

TEST_CASE("print_layout: prints a grid of offsets with the letters of the typed tag") {
    CHECK(print_layout(layout({1, 3, 2, 3}, "nChw2c"), drawing_options::of("nChw2c 1x3x2x3")) ==
          "nChw2c 1x3x2x3\n"
          "18 elements, with padding 24; 24 places of memory, dense\n"
          "4 planes of 2 rows (h) and 3 columns (w); ░ is padding\n"
          "\n"
          "n=0 c=0          n=0 c=1          n=0 c=2          n=0 c=3\n"
          "    w0  w1  w2       w0  w1  w2       w0  w1  w2       w0  w1  w2\n"
          "h0   0   2   4   h0   1   3   5   h0  12  14  16   h0 ░13 ░15 ░17\n"
          "h1   6   8  10   h1   7   9  11   h1  18  20  22   h1 ░19 ░21 ░23\n");
    CHECK(print_layout(layout({5}, "a")) ==
          "a 5\n"
          "5 elements; 5 places of memory, dense\n"
          "1 plane of 5 columns (a)\n"
          "\n"
          " a0 a1 a2 a3 a4\n"
          "  0  1  2  3  4\n");
    CHECK(print_layout(layout({3, 0}, "ab")) == "ab 3x0\n0 elements; 0 places of memory, dense\n");
}

TEST_CASE("print_layout: each index of the padded tensor is printed once, with its offset") {
    random_source random(5);
    printing_options wide;
    wide.columns = 1 << 20;
    wide.most_lines = 1 << 20;
    drawing_options all;
    all.most_rows = 1 << 20;
    int printed = 0;
    for (int k = 0; k < 100; ++k) {
        const layout l = random.small_layout();
        if (!check_draw(l).ok() || !has_elements(l.dims)) continue;
        std::map<std::string, int> expected;
        for (dim_t number = 0; number < l.padded_volume(); ++number) {
            const position at = unravel(l.padded_dims, number);
            ++expected[(is_element_at(l, at) ? "" : "░") + std::to_string(l.padded_offset(at))];
        }
        INFO(to_string(l));
        CHECK(offsets_in(print_layout(l, all, wide)) == expected);
        ++printed;
    }
    CHECK(printed > 60);
}

TEST_CASE("print_layout: prints lines of at most 80 columns, with the number of parts left out") {
    for (const layout& l : {layout({1, 17, 2, 3}, "nChw8c"), layout({64, 64, 56, 56}, "nChw16c"),
                            layout({20, 9, 3, 3}, "OIhw4i16o4i"), layout({2, 2, 2, 2, 3, 4}, "abcdef"),
                            layout({300, 400}, "ab"), layout({1000}, "a"), layout({3, 4}, strides{0, 1})}) {
        const std::string text = print_layout(l);
        INFO(text);
        CHECK(longest_line(text) <= 80);
        printing_options coloured;
        coloured.colours = true;
        std::string plain;  // colours change nothing else
        bool in_colour = false;
        for (const char c : print_layout(l, {}, coloured)) {
            if (c == '\x1b') in_colour = true;
            if (!in_colour) plain += c;
            if (c == 'm') in_colour = false;
        }
        CHECK(plain == text);
    }
    const std::string text = print_layout(layout({64, 64, 56, 56}, "nChw16c"));
    CHECK(text.find(" of 4,096 planes of 12 of 56 rows (c) and ") != std::string::npos);
    CHECK(text.find("…") != std::string::npos);
    CHECK_THROWS_AS((void)print_layout(layout({3, 4}, "any")), rejection);
}

}}  // namespace test_io_print_layout
