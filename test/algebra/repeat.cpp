#include <plait/algebra/repeat.hpp>

#include "laws/view_laws.hpp"

namespace test_algebra_repeat { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand, plait_test::is_whole_digits, plait_test::repeats_every_axis, plait_test::starts_over;

constexpr bool refused(const layout& l, int axis, dim_t count, const verdict& why) {
    return check_repeat(l, axis, count) == why && !try_repeat(l, axis, count).has_value();
}

/// Checks that repeating twice repeats by the product, and that axes can be repeated in any order.
constexpr bool repeats_compose(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a) {
        if (!is_whole_digits(l, a)) continue;
        if (repeat(l, a, 1) != l || repeat(repeat(l, a, 2), a, 3) != repeat(l, a, 6)) return false;
        for (int b = 0; b < l.ndims(); ++b)
            if (a != b && is_whole_digits(l, b) && repeat(repeat(l, a, 2), b, 3) != repeat(repeat(l, b, 3), a, 2))
                return false;
    }
    return true;
}

TEST_CASE("repeat: the index along an axis starts again from 0") {
    constexpr layout l({2, 3}, "ab");
    constexpr layout out = repeat(l, 1, 4);
    STATIC_CHECK(out.dims == dims{2, 12});
    STATIC_CHECK(out.strides() == strides{3, 0});
    STATIC_CHECK(out.digits[2] == digit{1, 3, 1});
    STATIC_CHECK(out.offset(1, 7) == 3 + 1);
    // An axis of one element needs no digit for it.
    STATIC_CHECK(repeat(layout({1, 3}, "ab"), 0, 4) == layout({4, 3}, strides{0, 1}));
    STATIC_CHECK(repeat(layout({16, 3}, "Ab16a"), 0, 2).digits.size() == 3);
    STATIC_CHECK(repeat(l, 0, 0).volume() == 0);
    layout same({2, 3}, "ab");
    same = repeat(same, 1, 4);
    CHECK(same == out);
}

TEST_CASE("repeat: every axis of small layouts") {
    STATIC_CHECK(starts_over(repeat(layout({2, 8}, "aB4b"), 1, 3), layout({2, 8}, "aB4b"), 1, 3));
    constexpr layout more[] = {layout({12, 8}, "BA2a4b3a"), layout({8, 8, 2}, "ABc2a4b4a2b"), layout({0, 3}, "ab")};
    for (const layout& l : more) {
        CHECK(repeats_every_axis(l));
        CHECK(repeats_compose(l));
    }
    // An outermost digit inside the block in memory still counts the blocks.
    layout crossed({4, 3}, "Ab2a");
    crossed.digits[0].stride = 1;
    crossed.digits[2].stride = 2;
    crossed.digits[1].stride = 4;
    CHECK(check_layout(crossed).ok());
    CHECK(repeats_every_axis(crossed));
    for (const layout& l : plait_test::varied_layouts) {
        CHECK(repeats_every_axis(l));
        CHECK(repeats_compose(l));
    }
    for (const layout& l : plait_test::broadcast_layouts) {
        CHECK(repeats_every_axis(l));
        CHECK(repeats_compose(l));
    }
}

TEST_CASE("repeat: other axes may be dynamic and keep their dependent strides") {
    constexpr layout l({2, 1, dynamic}, "abc");
    STATIC_CHECK(bind(repeat(l, 1, 4), {5}) == repeat(bind(l, {5}), 1, 4));
    STATIC_CHECK(refused(l, 0, 2, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(repeat(l, 0, 1) == l);
    constexpr layout inner({dynamic, 2, 3}, "abc");
    STATIC_CHECK(bind(repeat(inner, 2, 4), {5}) == repeat(bind(inner, {5}), 2, 4));
    constexpr layout linked({4, dynamic, 3}, "abc");
    STATIC_CHECK(repeat(linked, 2, 5).digits[0].stride == outside(1));
}

TEST_CASE("repeat: each refusal") {
    constexpr layout l({2, 3}, "ab");
    STATIC_CHECK(refused(layout({2, 5}, "aB4b"), 1, 2, {reason::axis_is_padded, 1, 8, 5}));
    STATIC_CHECK(refused(by_hand({2}, {4}, {1}, {}, {1}), 0, 2, {reason::axis_is_padded, 0, 4, 2}));
    // A part of one block is not padded if it consists of whole digits.
    STATIC_CHECK(repeat(by_hand({3}, {3}, {8}, {{0, 8}}), 0, 2).offset(5) == 2);
    STATIC_CHECK(
        refused(by_hand({6, 2}, {6, 2}, {16, 16}, {{0, 2}, {1, 2}, {0, 4}}), 0, 2, {reason::axis_is_padded, 0, 8, 6}));
    STATIC_CHECK(refused(l, 1, -1, {reason::dim_is_negative, 1, -1, 0}));
    STATIC_CHECK(refused(l, 1, dynamic, {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({dynamic, 3}, "ab"), 0, 2, {reason::dim_is_dynamic, 0}));
    STATIC_CHECK(refused(l, 1, INT64_MAX, {reason::size_overflows, 1, 3, INT64_MAX}));
    STATIC_CHECK(refused(l, 1, INT64_MAX / 3, {reason::size_overflows, 1, 2, INT64_MAX / 3 * 3}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), 0, 2, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(l, 2, 2, {reason::axis_is_out_of_range, -1, 2, 2}));
    STATIC_CHECK(refused(l, -1, 2, {reason::axis_is_out_of_range, -1, -1, 2}));
    STATIC_CHECK(refused(by_hand({3, 1}, {2, 1}, {1, 1}), 1, 2, {reason::padded_dim_does_not_fit, 0, 2, 3}));
}

TEST_CASE("repeat: a layout has room for 24 digits") {
    // 12 axes of two elements with a block of two each: all digits are taken.
    layout full({4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, "ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l");
    CHECK(full.digits.size() == max_digits);
    CHECK((refused(full, 3, 2, {reason::too_many_digits, 3, max_digits + 1, max_digits})));
    CHECK(check_repeat(full, 3, 1).ok());
    // An outermost digit of one value is replaced, so there is room.
    const layout one({4, 4, 4, 2, 4, 4, 4, 4, 4, 4, 4, 4}, "ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l");
    CHECK(repeat(one, 3, 2).digits[3] == digit{3, 2, 0});
}

}}  // namespace test_algebra_repeat
