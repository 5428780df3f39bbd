#include <plait/algebra/compose.hpp>

#include "laws/function_laws.hpp"
#include "support/small_layouts.hpp"

namespace test_algebra_compose { namespace {

using namespace plait;
using namespace plait_test;

constexpr bool refused(const layout& a, const layout& b, const verdict& why) {
    return check_compose(a, b) == why && !try_compose(a, b).has_value();
}

TEST_CASE("compose: the examples of CuTe's documentation, with the order of the axes reversed") {
    // (6,2):(8,2) o (4,3):(3,1) = ((2,2),3):((24,2),8)
    constexpr layout a({2, 6}, strides{2, 8}), b({3, 4}, strides{1, 3});
    STATIC_CHECK(is_cute(a, {{6, 8}, {2, 2}}));
    STATIC_CHECK(is_cute(compose(a, b), {{2, 24}, {2, 2}, {3, 8}}));
    STATIC_CHECK(compose(a, b).strides() == strides{8, 2});
    STATIC_CHECK(compose(a, b).digits[2] == digit{1, 2, 24});
    // 20:2 o (5,4):(4,1) = (5,4):(8,2)
    STATIC_CHECK(compose(layout({20}, strides{2}), layout({4, 5}, strides{1, 4})) == layout({4, 5}, strides{2, 8}));
    // (10,2):(16,4) o (5,4):(1,5) = (5,(2,2)):(16,(80,4))
    STATIC_CHECK(
        is_cute(compose(layout({2, 10}, strides{4, 16}), layout({4, 5}, strides{5, 1})), {{5, 16}, {2, 80}, {2, 4}}));
    // (4,2,3):(2,1,8) o 4:2, the first half of the logical divide: (2,2):(4,1)
    STATIC_CHECK(is_cute(compose(layout({3, 2, 4}, strides{8, 1, 2}), layout({4}, strides{2})), {{2, 4}, {2, 1}}));
}

TEST_CASE("compose: operands that CuTe composes to wrong offsets are refused, with the numbers") {
    // (4,6,8):(2,3,5), whose elements share places; the refusal does not depend on that.
    constexpr layout shared({8, 6, 4}, strides{5, 3, 2});
    STATIC_CHECK(refused(shared, layout({6}, strides{3}), {reason::extents_do_not_divide, 0, 3, 4, 2}));
    STATIC_CHECK(follows(shared, layout({6}, strides{2})));
    constexpr layout a({8, 6, 4}, strides{60, 9, 2});
    STATIC_CHECK(refused(a, layout({6}, strides{3}), {reason::extents_do_not_divide, 0, 3, 4, 2}));
    STATIC_CHECK(refused(a, layout({6}, strides{5}), {reason::extents_do_not_divide, 0, 5, 4, 4}));
    STATIC_CHECK(follows(a, layout({6}, strides{2})) && try_compose(a, layout({6}, strides{2})).has_value());
    STATIC_CHECK(follows(a, layout({6}, strides{4})) && try_compose(a, layout({6}, strides{4})).has_value());
    // If no digit carries, such a step is allowed: 0 and 5 are (0, 0) and (1, 1).
    STATIC_CHECK(compose(a, layout({4}, strides{5})) == layout({4}, strides{11}));
}

TEST_CASE("compose: offset0 of both") {
    layout a({3, 4}, "ab"), b({2, 2}, strides{4, 1});
    a.offset0 = 100;
    b.offset0 = 5;
    CHECK(compose(a, b).offset0 == 105);
    CHECK(follows(a, b));
    // In the middle of a digit: 2 + 1 fits in 4, 2 + 2 does not.
    constexpr layout wide({3, 4}, strides{10, 1});
    b = layout({2}, "a");
    b.offset0 = 2;
    CHECK(follows(wide, b));
    CHECK(compose(wide, b).offset0 == 2);
    b = layout({3}, "a");
    b.offset0 = 2;
    CHECK(refused(wide, b, {reason::digits_carry, 0, 4, 4}));
    b.offset0 = INT64_MAX - 2;
    CHECK(refused(wide, b, {reason::index_is_outside_domain, -1, INT64_MAX, 12}));
}

TEST_CASE("compose: padding, zero extents, broadcast digits, a part of a block") {
    // The padding of b must be inside a.
    constexpr layout padded({2, 3}, "aB4b");
    STATIC_CHECK(follows(layout({8}, strides{3}), padded));
    STATIC_CHECK(refused(layout({7}, strides{3}), padded, {reason::index_is_outside_domain, -1, 7, 7}));
    constexpr layout at_end = by_hand({2, 3}, {4, 8}, {8, 8}, {{1, 8}}, {1, 2}, 5);
    STATIC_CHECK(follows(layout({64}, strides{2}), at_end));
    STATIC_CHECK(compose(layout({64}, strides{2}), at_end).padded_offsets == position{1, 2});
    STATIC_CHECK(refused(layout({36}, strides{2}), at_end, {reason::index_is_outside_domain, -1, 36, 36}));
    // The number skips the padding of a, except along the outermost axis.
    STATIC_CHECK(refused(layout({2, 5}, "Ba4b"), layout({6}, "a"), {reason::axis_is_padded, 1, 8, 5}));
    STATIC_CHECK(is_cute(compose(padded, layout({6}, "a")), {{3, 1}, {2, 4}}));
    STATIC_CHECK(follows(layout({3, 2}, "Ab4a"), layout({6}, "a")));
    STATIC_CHECK(check_compose(layout({3, 2}, "Ab4a"), layout({4}, "a")).ok());
    STATIC_CHECK(refused(layout({3, 2}, "Ab4a"), layout({7}, "a"), {reason::index_is_outside_domain, -1, 6, 6}));
    // An inner layout without elements is not checked; an outer one without elements has no offset to return.
    STATIC_CHECK(compose(layout({4}, "a"), layout({0, 9}, strides{77, 1})).dims == dims{0, 9});
    STATIC_CHECK(check_layout(compose(layout({4}, "a"), layout({0, 9}, "aB4b"))).ok());
    STATIC_CHECK(refused(layout({4, 0}, "ab"), layout({0}, "a"), {reason::index_is_outside_domain, 1, 0, 0}));
    STATIC_CHECK(compose(layout({4, 3}, strides{0, 1}), layout({4}, strides{3})) == layout({4}, strides{0}));
    STATIC_CHECK(compose(layout({4}, strides{7}), layout({5, 3}, strides{0, 1})) == layout({5, 3}, strides{0, 7}));
    STATIC_CHECK(compose(layout({1}, strides{7}), layout({5}, strides{0})) == layout({5}, strides{0}));
    // The first three of a block of 16, and of 4 in 4.
    STATIC_CHECK(compose(layout({3}, strides{7}), by_hand({3}, {3}, {16}, {{0, 16}})) == layout({3}, strides{7}));
    STATIC_CHECK(compose(layout({6}, strides{7}), by_hand({6}, {6}, {16}, {{0, 4}, {0, 4}})) ==
                 layout({6}, strides{7}));
}

TEST_CASE("compose: each refusal, and its nearest number works") {
    constexpr layout a({4, 6}, strides{10, 1});
    STATIC_CHECK(refused(a, layout({3}, strides{9}), {reason::extents_do_not_divide, 0, 9, 6, 6}));
    STATIC_CHECK(check_compose(a, layout({3}, strides{6})).ok());
    STATIC_CHECK(refused(a, layout({4}, strides{4}), {reason::extents_do_not_divide, 0, 4, 6, 3}));
    STATIC_CHECK(check_compose(a, layout({4}, strides{3})).ok());
    STATIC_CHECK(refused(a, layout({10}, strides{1}), {reason::extents_do_not_divide, 0, 10, 6, 12}));
    STATIC_CHECK(check_compose(a, layout({12}, strides{1})).ok());
    // Each alone fits in the digit of 6, both do not.
    STATIC_CHECK(refused(a, layout({2, 2}, strides{4, 2}), {reason::digits_carry, 1, 6, 6}));
    STATIC_CHECK(follows(a, layout({2, 2}, strides{3, 1})) && check_compose(a, layout({2, 2}, strides{3, 1})).ok());
    constexpr layout many = layout({64, 64, 64, 64, 64}, strides{1, 1 << 7, 1 << 14, 1 << 21, 1 << 28});
    STATIC_CHECK(check_compose(many, layout({1 << 30}, "a")).ok());
}

TEST_CASE("compose: operands that are malformed, opaque or dynamic") {
    constexpr layout l({4}, "a");
    STATIC_CHECK(refused(layout({2, dynamic}, "ab"), l, {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(l, layout({2, dynamic}, "ab"), {reason::dim_is_dynamic, 1}));
    STATIC_CHECK(refused(l, layout({2, 2}, strides{dynamic, 1}), {reason::stride_is_dynamic, 0}));
    // Hand-made layouts.
    STATIC_CHECK(refused(l, by_hand({4}, {4}, {-1}), {reason::stride_is_negative, 0, -1, 0, 3}));
    STATIC_CHECK(refused(by_hand({4}, {4}, {-1}), l, {reason::stride_is_negative, 0, -1, 0, 3}));
    layout wild({4, 4}, "AB2a2b");
    wild.digits.count = 77;
    CHECK(check_compose(wild, l).reason == reason::layout_is_malformed);
    CHECK(check_compose(l, wild).reason == reason::layout_is_malformed);
    layout below({4}, "a");
    below.offset0 = -1;
    CHECK(refused(l, below, {reason::layout_is_malformed, -1, -1, 0}));
    CHECK(refused(below, l, {reason::layout_is_malformed, -1, -1, 0}));
    // One index of a block that goes to the end of the range.
    CHECK(follows(l, by_hand({1}, {1}, {INT64_MAX}, {{0, INT64_MAX}})));
    CHECK(compose(layout({4}, strides{3}), by_hand({1}, {1}, {INT64_MAX})).strides() == strides{0});
    CHECK(compose(layout({4}, strides{3}), by_hand({1}, {1}, {2})).strides() == strides{6});
    layout far({2}, strides{INT64_MAX / 2});
    far.offset0 = INT64_MAX / 2;
    CHECK(follows(far, layout({2}, "a")));
    CHECK(refused(far, far, {reason::index_is_outside_domain, -1, INT64_MAX - 1, 2}));
}

}}  // namespace test_algebra_compose
