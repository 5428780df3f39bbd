#include <plait/algebra/matches_tag.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_matches_tag {

using namespace plait;
using plait_test::by_hand;

TEST_CASE("matches_tag: the inner blocks and the strides of the tag") {
    constexpr layout l({2, 17, 5, 4}, "nChw8c");
    STATIC_CHECK(matches_tag(l, "nChw8c"));
    STATIC_CHECK(matches_tag(l, "aBcd8b"));
    STATIC_CHECK(!matches_tag(l, "nChw16c"));
    STATIC_CHECK(!matches_tag(l, "nchw"));
    STATIC_CHECK(!matches_tag(l, "Cnhw8c"));
    STATIC_CHECK(!matches_tag(l, "aBcd4b2b"));
    STATIC_CHECK(!matches_tag(l, "nCw8c"));
    STATIC_CHECK(matches_tag(layout({2, 3}, strides{3, 1}), "ab"));
    STATIC_CHECK(!matches_tag(layout({2, 3}, strides{4, 1}), "ab"));
    STATIC_CHECK(matches_tag(layout({2, dynamic, 3}, "bac"), "bac"));
    STATIC_CHECK(!matches_tag(layout({2, dynamic, 3}, "bac"), "cab"));
    STATIC_CHECK(!matches_tag(layout({2, dynamic, 3}, strides{dynamic, 3, 1}), "abc"));
}

TEST_CASE("matches_tag: the strides of axes with one element and no padding are not compared") {
    STATIC_CHECK([] {
        int count = 0;
        permutation p = identity_permutation(4);
        for (int i = 0; i < 24; ++i, p = plait_test::next(p))
            count += matches_tag(layout({2, 16, 1, 1}, "nchw"), plait_test::plain_order(p));
        // All tags with n outside c.
        return count == 12;
    }());
    STATIC_CHECK(matches_tag(layout({1, 16, 4, 4}, strides{999, 16, 4, 1}), "nchw"));
    STATIC_CHECK(!matches_tag(by_hand({1, 2}, {16, 2}, {7, 1}), "ab"));
}

TEST_CASE("matches_tag: padding, padded offsets and offset0 are not compared") {
    STATIC_CHECK(matches_tag(by_hand({2, 3}, {4, 3}, {3, 1}), "ab"));
    STATIC_CHECK(matches_tag(by_hand({2, 3}, {4, 3}, {3, 1}, {}, {1, 0}, 7), "ab"));
    STATIC_CHECK(matches_tag(by_hand({2, 32, 4, 4}, {2, 32, 4, 4}, {512, 256, 64, 16}, {{1, 16}}, {}, 512), "nChw16c"));
}

TEST_CASE("matches_tag: the kinds agree") {
    STATIC_CHECK(matches_tag(layout({2, 3}, "any"), "any"));
    STATIC_CHECK(matches_tag(layout(), "undef"));
    STATIC_CHECK(!matches_tag(layout({2, 3}, "any"), "ab"));
    STATIC_CHECK(!matches_tag(layout({2, 3}, "ab"), "any"));
    STATIC_CHECK(!matches_tag(layout({2, 3}, "ab"), "undef"));
    STATIC_CHECK(!matches_tag(layout(), "any"));
    STATIC_CHECK(!matches_tag(plait_test::opaque_layout({2, 3}), "ab"));
    STATIC_CHECK(!matches_tag(plait_test::opaque_layout({2, 3}), "any"));
}

TEST_CASE("matches_tag with strides: -1 leaves an axis out, others are compared") {
    constexpr dim_t c = 32, h = 4, w = 4;
    constexpr layout view({2, c, h, w}, "nChw8c", strides{1024, h * w * 8, w * 8, 8});
    STATIC_CHECK(!matches_tag(view, "nChw8c"));
    STATIC_CHECK(matches_tag(view, "nChw8c", {-1, h * w * 8, w * 8, 8}));
    STATIC_CHECK(matches_tag(view, "nChw8c", {1024, -1, -1, -1}));
    STATIC_CHECK(!matches_tag(view, "nChw8c", {512, -1, -1, -1}));
    STATIC_CHECK(!matches_tag(view, "nChw8c", {-1, h * w * 8, w * 8, 4}));
    STATIC_CHECK(!matches_tag(view, "nChw16c", {-1, -1, -1, -1}));
    STATIC_CHECK(!matches_tag(view, "nChw8c", {-1, -1, -1}));
    STATIC_CHECK(!matches_tag(view, "nCw8c", {-1, -1, -1}));
    STATIC_CHECK(!matches_tag(view, "any", {-1, -1, -1, -1}));
    STATIC_CHECK(!matches_tag(layout({2, 3}, "any"), "any", {-1, -1}));
    // Zero is compared like any other stride; axes of one element are not compared.
    STATIC_CHECK(matches_tag(layout({4, 3}, strides{0, 1}), "ab", {0, 1}));
    STATIC_CHECK(!matches_tag(layout({4, 3}, "ab"), "ab", {0, 1}));
    STATIC_CHECK(matches_tag(layout({1, 16, 4, 4}, strides{999, 16, 4, 1}), "nchw", {0, 16, 4, 1}));
    STATIC_CHECK(!matches_tag(by_hand({1, 2}, {16, 2}, {7, 1}), "ab", {5, 1}));
    STATIC_CHECK(matches_tag(by_hand({1, 2}, {16, 2}, {7, 1}), "ab", {7, 1}));
}

TEST_CASE("matches_tag: a layout whose inner digits are not dense matches no tag") {
    layout l({2, 32}, "aB8b");
    l.digits[0].stride = 64;
    l.digits[1].stride = 16;
    l.digits[2].stride = 2;
    CHECK(check_layout(l).ok());
    CHECK(!matches_tag(l, "aB8b", {64, 16}));
    // Blocks in the order of the tag, but reversed in memory.
    layout swapped({4, 4}, "AB2a2b");
    swapped.digits[2].stride = 1;
    swapped.digits[3].stride = 2;
    CHECK(!matches_tag(swapped, "AB2a2b"));
    CHECK(!matches_tag(swapped, "AB2a2b", {-1, -1}));
}

}  // namespace test_algebra_matches_tag
