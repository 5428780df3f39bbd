#include <plait/algebra/bind.hpp>
#include <plait/algebra/join_axes.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_join_axes { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr bool refused(const layout& l, int first, int last, const verdict& why) {
    return check_join_axes(l, first, last) == why && !try_join_axes(l, first, last).has_value();
}

TEST_CASE("join_axes: the axes from first to last become one") {
    STATIC_CHECK(join_axes(layout({2, 3, 4, 5}, "abcd"), 1, 2) == layout({2, 12, 5}, "abc"));
    STATIC_CHECK(join_axes(layout({2, 3, 4, 5}, "dabc"), 0, 2) == layout({24, 5}, "ba"));
    STATIC_CHECK(join_axes(layout({2, 17, 5, 4}, "nChw8c"), 2, 3) == layout({2, 17, 20}, "nCw8c"));
    STATIC_CHECK(join_axes(layout({2, 3}, "any"), 0, 1) == layout({6}, "any"));
    STATIC_CHECK(join_axes(layout({2, 3}, strides{40, 3}), 1, 1) == layout({2, 3}, strides{40, 3}));
    STATIC_CHECK(join_axes(layout({1, 1, 1}, "cab"), 0, 2) == layout({1}, "a"));
    // Axes of one element can be joined with any stride.
    STATIC_CHECK(join_axes(by_hand({2, 1, 3}, {2, 1, 3}, {3, 99, 1}), 0, 2) == layout({6}, "a"));
}

TEST_CASE("join_axes: dynamic extents may be outside of the join and in it") {
    STATIC_CHECK(join_axes(layout({dynamic, 3, 4, dynamic}, "abcd"), 1, 2) == layout({dynamic, 12, dynamic}, "abc"));
    STATIC_CHECK(join_axes(layout({dynamic, 3, 4, dynamic}, "dbca"), 1, 2) == layout({dynamic, 12, dynamic}, "cba"));
    constexpr layout l({2, dynamic, 3, dynamic}, "abcd");
    STATIC_CHECK(join_axes(l, 1, 2) == layout({2, dynamic, dynamic}, "abc"));
    STATIC_CHECK(join_axes(l, 0, 3) == layout({dynamic}, "a"));
    STATIC_CHECK(bind(join_axes(l, 1, 3), {5 * 3 * 7}) == join_axes(bind(l, {5, 7}), 1, 3));
    // An axis outside the first one is outside the joined axis.
    constexpr layout outer({5, 2, dynamic}, "abc");
    STATIC_CHECK(join_axes(outer, 1, 2).digits[0].stride == outside(1));
}

TEST_CASE("join_axes: a block between two axes that become one stays valid after all extents are bound") {
    // b, then the only block of a, then c, then the block of a.
    constexpr layout l({4, 3, dynamic}, "bAc4a");
    constexpr layout joined = join_axes(l, 1, 2);
    STATIC_CHECK(joined.digits[0].stride == outside(1));
    constexpr layout bound = bind(joined, {15});
    STATIC_CHECK(bound.offset(3, 14) == bind(l, {5}).offset(3, 2, 4));
}

TEST_CASE("join_axes: each refusal") {
    constexpr layout l({2, 3, 4, 5}, "abdc");
    STATIC_CHECK(refused(l, -1, 2, {reason::axis_is_out_of_range, -1, -1, 4}));
    STATIC_CHECK(refused(l, 0, 4, {reason::axis_is_out_of_range, -1, 4, 4}));
    STATIC_CHECK(refused(l, 2, 1, {reason::axis_is_out_of_range, -1, 2, 2}));
    STATIC_CHECK(refused(l, INT32_MIN, INT32_MAX, {reason::axis_is_out_of_range, -1, INT32_MIN, 4}));
    STATIC_CHECK(refused(l, 2, 3, {reason::joined_axes_do_not_chain, 2, 1, 20}));
    STATIC_CHECK(refused(layout({2, 16}, "aB8b"), 0, 1, {reason::axis_is_blocked, 1, 8, 16}));
    STATIC_CHECK(refused(by_hand({2, 3}, {2, 4}, {4, 1}), 0, 1, {reason::axis_is_padded, 1, 4, 3}));
    STATIC_CHECK(refused(layout({2, 1}, "aB4b"), 0, 1, {reason::unit_axis_is_padded, 1, 4, 4}));
    STATIC_CHECK(join_axes(layout({2, 0, 3}, "abc"), 0, 2) == layout({0}, "a"));
    STATIC_CHECK(join_axes(layout({2, 0, 3}, "cba"), 1, 2).dims == dims{2, 0});
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), 0, 1, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({dynamic, dynamic}, "ba"), 0, 1, {reason::stride_is_dynamic, 1}));
}

}}  // namespace test_algebra_join_axes
