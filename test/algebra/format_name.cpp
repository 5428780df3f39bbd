#include <plait/algebra/format_name.hpp>

#include "laws/hand_made_layouts.hpp"

#include <plait/algebra/same_memory.hpp>

namespace test_algebra_format_name {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

TEST_CASE("format_name: the abstract tag of a dense layout") {
    STATIC_CHECK(format_name(layout({2, 17, 5, 4}, "nChw8c")) == "aBcd8b");
    STATIC_CHECK(format_name(layout({2, 16, 5, 4}, "nhwc")) == "acdb");
    STATIC_CHECK(format_name(layout({4, 3, 2, 5}, "hwio")) == "cdba");
    STATIC_CHECK(format_name(layout({33, 33, 3, 3}, "OIhw4i16o4i")) == "ABcd4b16a4b");
    STATIC_CHECK(format_name(layout({7, 33, 33, 3, 2}, "gIOhw2i8o16i2o")) == "aBCde2c8b16c2b");
    STATIC_CHECK(format_name(layout({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, "abcdefghijkl")) == "abcdefghijkl");
    STATIC_CHECK(format_name(layout({5}, "x")) == "a");
}

TEST_CASE("format_name: kinds without strides") {
    STATIC_CHECK(format_name(layout()) == "undef");
    STATIC_CHECK(format_name(layout({2, 3}, "any")) == "any");
    STATIC_CHECK(format_name(plait_test::opaque_layout({2, 3})) == "opaque");
}

TEST_CASE("format_name: equal strides: the larger outer extent first, then the lower axis") {
    STATIC_CHECK(format_name(layout({1, 1, 1}, "cba")) == "abc");
    STATIC_CHECK(format_name(layout({2, 1, 3}, "abc")) == "abc");
    STATIC_CHECK(format_name(layout({1, 2, 3}, "bac")) == "bac");
    // Both a and b have stride 3; b has two places, a has one.
    STATIC_CHECK(format_name(layout({1, 2, 3}, strides{3, 3, 1})) == "bac");
    // The outer extent decides: 16 elements are one block of 16, fewer than the two of b.
    STATIC_CHECK(format_name(layout({16, 2}, "bA16a")) == "bA16a");
    STATIC_CHECK(format_name(layout({1, 16}, "Ba16b")) == "aB16b");
}

TEST_CASE("format_name: a broadcast axis is outermost") {
    STATIC_CHECK(format_name(layout({2, 3}, strides{1, 0})) == "ba:1x0");
    STATIC_CHECK(format_name(layout({2, 3, 4}, strides{4, 0, 1})) == "bac:4x0x1");
    STATIC_CHECK(format_name(layout({2, 3}, strides{0, 0})) == "ba:0x0");
    STATIC_CHECK(format_name(layout({1, 3}, strides{0, 1})) == "ab");
}

TEST_CASE("format_name: appends the strides after a colon if the layout is not dense") {
    STATIC_CHECK(format_name(layout({2, 3}, strides{4, 1})) == "ab:4x1");
    STATIC_CHECK(format_name(layout({2, 3}, strides{1, 4})) == "ba:1x4");
    STATIC_CHECK(format_name(layout({2, 32, 4, 4}, "nChw16c", strides{1024, 256, 64, 16})) == "aBcd16b:1024x256x64x16");
    STATIC_CHECK(format_name(layout({1, 3}, strides{-5, 2})) == "ba:-5x2");
    STATIC_CHECK(format_name(layout({2, 3}, strides{-3, -1})) == "ab:-3x-1");  // dense, and backwards
    STATIC_CHECK(format_name(layout({2, 32}, "aB16b", strides{32, -16})) == "aB16b:32x-16");
    STATIC_CHECK(format_name(by_hand({2, 3}, {2, 3}, {16, 8}, {{1, 8}}, {}, 11)) == "aB8b:16x8");
    // Neither padding nor offset0 makes a layout not dense.
    STATIC_CHECK(format_name(by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5)) == "aB8b");
}

TEST_CASE("format_name: appends the strides if padding beyond whole blocks makes them differ from the tag's") {
    // Dense, but ab of 2 x 3 has stride 3.
    STATIC_CHECK(format_name(by_hand({2, 3}, {2, 4}, {4, 1})) == "ab:4x1");
    STATIC_CHECK(format_name(by_hand({2, 9, 2}, {2, 24, 2}, {48, 16, 8}, {{1, 8}})) == "aBc8b:48x16x8");
    // Within one block no index steps by the stride of a, 32; but in Ab8a it would be 16.
    STATIC_CHECK(format_name(by_hand({4, 2}, {16, 4}, {32, 8}, {{0, 8}})) == "Ab8a:32x8");
    STATIC_CHECK(format_name(by_hand({4, 2}, {8, 4}, {32, 8}, {{0, 8}})) == "Ab8a:32x8");
    // Outermost in memory, more padding changes no stride.
    STATIC_CHECK(format_name(by_hand({2, 3}, {4, 3}, {3, 1})) == "ab");
    // Within one block, and without elements, an outer stride has no effect.
    STATIC_CHECK(format_name(by_hand({1, 3}, {1, 4}, {4, 1})) == "ab");
    STATIC_CHECK(format_name(by_hand({0, 3}, {0, 4}, {4, 1})) == "ab");
    // The tensor is in the second half of the padding.
    STATIC_CHECK(format_name(by_hand({1, 3}, {2, 4}, {4, 1}, {}, {1, 0})) == "ab:4x1");
}

TEST_CASE("format_name: a tag with strides is accepted by a constructor; otherwise the name is the digits") {
    // Every other place of a row, and the next row between.
    const layout between = by_hand({2, 2}, {2, 2}, {3, 2});
    CHECK(check_layout(between).ok());
    CHECK((format_name(between) == "ab:3x2"));
    CHECK(layout({2, 2}, *tag_of(between), between.strides()) == between);
    CHECK((format_name(layout({3, 4}, strides{2, 1})) == "ab:2x1"));
    // The outermost digit of a whole block: no index has a step of 3.
    CHECK((format_name(by_hand({8, 2}, {8, 2}, {3, 9}, {{0, 8}})) == "bA8a:3x9"));
    const auto can_be_made = [](const layout& l) {
        const std::string name = format_name(l).c_str();
        if (name.find('*') != name.npos) return !tag_of(l);
        const expected<format_tag> tag = parse_format_tag(name.substr(0, name.find(':')));
        if (!tag) return false;
        layout made = name.find(':') == name.npos ? layout(l.dims, *tag) : layout(l.dims, *tag, l.strides());
        layout begun = l;
        begun.offset0 = made.offset0 = 10000;
        begun.padded_offsets = made.padded_offsets;
        return tag == tag_of(l) && same_memory(begun, made);
    };
    int named = 0;
    plait_test::random_source random(81);
    for (int i = 0; i < 20000; ++i) {
        const layout l = random.once_in(2) ? plait_test::hand_made_layout(random, 40) : random.small_layout();
        if (!check_layout(l).ok()) continue;
        named += tag_of(l).has_value();
        if (!can_be_made(l)) FAIL_CHECK(explain(l));
    }
    CHECK(named > 5000);
}

TEST_CASE("format_name: malformed layouts give the digits that exist") {
    layout l({2, 3}, "ab");
    l.digits[1].axis = 99;
    CHECK((format_name(l) == "a:2*3 ?:3*1"));
    l.digits.count = 1;
    CHECK((format_name(l) == "a:2*3"));
    l = by_hand({2, 3}, {2, 3}, {1, 1}, {{0, 2}, {1, 2}});
    l.digits[2].extent = l.digits[3].extent = dim_t{1} << 62;
    l.digits[2].stride = dim_t{1} << 62;
    CHECK((format_name(l).size() > 0));
}

TEST_CASE("format_name: a star for each dynamic stride") {
    STATIC_CHECK(format_name(layout({2, dynamic}, "ab")) == "*");
    STATIC_CHECK(format_name(layout({2, 3}, strides{dynamic, 1})) == "*");
    // A dynamic extent outside everything leaves all strides known.
    STATIC_CHECK(format_name(layout({dynamic, 3}, strides{3, 1})) == "ab:3x1");
}

TEST_CASE("format_name: the digits if the inner ones are not dense") {
    layout l = by_hand({2, 8}, {2, 8}, {32, 8}, {{1, 4}});
    l.digits[2].stride = 2;
    CHECK((format_name(l) == "a:2*32 b:2*8 b:4*2"));
    // Two inner digits reversed in memory.
    layout swapped = by_hand({4, 4}, {4, 4}, {8, 4}, {{0, 2}, {1, 2}});
    swapped.digits[2].stride = 1;
    swapped.digits[3].stride = 2;
    CHECK((format_name(swapped) == "a:2*8 b:2*4 a:2*1 b:2*2"));
}

TEST_CASE("memory_order: outermost first") {
    STATIC_CHECK([] {
        const auto order = memory_order(layout({2, 16, 5, 4}, "nhwc"));
        return order.size() == 4 && order[0] == 0 && order[1] == 2 && order[2] == 3 && order[3] == 1;
    }());
}

}  // namespace test_algebra_format_name
