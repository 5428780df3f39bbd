#include <plait/algebra/bind.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/split_axis.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_split_axis { namespace {

using namespace plait;
using namespace plait::detail;

constexpr bool refused(const layout& l, int axis, const dims& parts, const verdict& why) {
    return check_split_axis(l, axis, parts) == why && !try_split_axis(l, axis, parts).has_value();
}

TEST_CASE("split_axis: one axis becomes several, the last of which varies fastest") {
    STATIC_CHECK(split_axis(layout({2, 12, 5}, "abc"), 1, {3, 4}) == layout({2, 3, 4, 5}, "abcd"));
    STATIC_CHECK(split_axis(layout({2, 12, 5}, "cba"), 1, {3, 4}) == layout({2, 3, 4, 5}, "dbca"));
    STATIC_CHECK(split_axis(layout({2, 16, 12}, "aBc8b"), 2, {2, 3, 2}) == layout({2, 16, 2, 3, 2}, "aBcde8b"));
    STATIC_CHECK(split_axis(layout({2, 6}, strides{40, 3}), 1, {2, 3}) == layout({2, 2, 3}, strides{40, 9, 3}));
    STATIC_CHECK(split_axis(layout({6, 2}, "any"), 0, {2, 3}) == layout({2, 3, 2}, "any"));
}

TEST_CASE("split_axis: its neighbours do not change") {
    // For reshape, {4, 2} to {2, 2, 2} is ambiguous; here the second axis is split.
    STATIC_CHECK(split_axis(layout({4, 2}, "ba"), 0, {2, 2}) == layout({2, 2, 2}, "cab"));
    STATIC_CHECK(split_axis(layout({6}, "a"), 0, {6}) == layout({6}, "a"));
    STATIC_CHECK(split_axis(layout({6}, "a"), 0, {1, 6, 1}) == layout({1, 6, 1}, "abc"));
    // An axis of one element can be removed.
    STATIC_CHECK(split_axis(layout({6, 1}, "ab"), 1, {}) == layout({6}, "a"));
}

TEST_CASE("split_axis: other axes may be dynamic") {
    STATIC_CHECK(split_axis(layout({dynamic, 12, dynamic}, "abc"), 1, {3, 4}) ==
                 layout({dynamic, 3, 4, dynamic}, "abcd"));
    STATIC_CHECK(split_axis(layout({dynamic, 12, dynamic}, "cba"), 1, {3, 4}) ==
                 layout({dynamic, 3, 4, dynamic}, "dbca"));
    // An axis outside it is now outside its first part of more than one element.
    STATIC_CHECK(split_axis(layout({2, 6, dynamic}, "abc"), 1, {1, 2, 3}).digits[0].stride == outside(2));
    // An axis of unknown stride can be split only if no axis is outside it.
    STATIC_CHECK(split_axis(layout({6, 2}, strides{dynamic, 1}), 0, {1, 6}) ==
                 layout({1, 6, 2}, strides{1, dynamic, 1}));
    STATIC_CHECK(refused(layout({dynamic}, "a"), 0, {2, 3}, {reason::dim_is_dynamic, 0, dynamic, 3}));
    STATIC_CHECK(refused(layout({dynamic}, "a"), 0, {2, dynamic}, {reason::volumes_differ, -1, 1, 2}));
    STATIC_CHECK(refused(layout({6}, "a"), 0, {2, dynamic}, {reason::dim_is_dynamic, 0, 6, dynamic}));
    STATIC_CHECK(refused(layout({dynamic, 2}, "ab"), 0, {}, {reason::dim_is_dynamic, 0, dynamic, 1}));
}

TEST_CASE("split_axis: each refusal") {
    constexpr layout l({2, 12}, "ab");
    STATIC_CHECK(refused(l, -1, {2}, {reason::axis_is_out_of_range, -1, -1, 2}));
    STATIC_CHECK(refused(l, 2, {2}, {reason::axis_is_out_of_range, -1, 2, 2}));
    STATIC_CHECK(refused(l, 1, {3, 5}, {reason::volumes_differ, 1, 12, 15}));
    STATIC_CHECK(refused(l, 1, {}, {reason::volumes_differ, 1, 12, 1}));
    STATIC_CHECK(refused(l, 1, {0, 5}, {reason::volumes_differ, 1, 12, 0}));
    STATIC_CHECK(refused(l, 1, {-3, -4}, {reason::dim_is_negative, 1, -3, 0}));
    STATIC_CHECK(
        refused(l, 1, {dim_t{1} << 40, dim_t{1} << 40}, {reason::size_overflows, 1, dim_t{1} << 40, dim_t{1} << 40}));
    STATIC_CHECK(refused(l, 1, {12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {reason::too_many_axes, -1, 13, 12}));
    STATIC_CHECK(refused(layout({2, 16}, "aB8b"), 1, {2, 8}, {reason::axis_is_blocked, 1, 8, 16}));
    STATIC_CHECK(refused(plait_test::by_hand({4}, {6}, {1}), 0, {2, 2}, {reason::axis_is_padded, 0, 6, 4}));
    STATIC_CHECK(refused(layout({2, 1}, "aB4b"), 1, {}, {reason::unit_axis_is_padded, 1, 4, 4}));
    STATIC_CHECK(split_axis(layout({0}, "a"), 0, {0, 2}) == layout({0, 2}, "ab"));
    STATIC_CHECK(split_axis(layout({0, 16}, "aB8b"), 1, {2, 8}).dims == dims{0, 2, 8});
    STATIC_CHECK(refused(layout({1}, "a"), 0, {}, {reason::layout_is_undefined}));
}

}}  // namespace test_algebra_split_axis
