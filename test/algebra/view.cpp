#include <plait/algebra/bind.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>

#include "laws/reshape_laws.hpp"

namespace test_algebra_view { namespace {

using namespace plait;
using plait_test::by_hand, plait_test::can_be_seen_as, plait_test::keeps_the_elements;

constexpr bool refused(const layout& l, const dims& to, const verdict& why) {
    return check_view(l, to) == why && !try_view(l, to).has_value();
}

/// Checks along the last axis, by trying all, that the named extent works and that no nearer one does.
constexpr bool says_the_nearest(const layout& l, dim_t last) {
    const dim_t all = l.volume();
    const verdict why = check_view(l, {all / last, last});
    if (why.ok()) return true;
    const auto works = [&](dim_t extent) {
        return extent > 0 && all % extent == 0 && check_view(l, {all / extent, extent}).ok();
    };
    if (why.reason != reason::extents_do_not_divide || why.second != last || !works(why.third)) return false;
    for (dim_t away = 1; why.third != last - away; ++away) {
        if (works(last - away)) return false;
        if (why.third == last + away) return true;
        if (works(last + away)) return false;
    }
    return true;
}

TEST_CASE("view: equals reshape if reshape succeeds") {
    STATIC_CHECK(view(layout({2, 3, 4, 5}, "abcd"), {6, 2, 10}) == layout({6, 2, 10}, "abc"));
    STATIC_CHECK(view(layout({2, 32, 5, 4}, "nChw16c"), {2, 32, 1, 5, 4}) == layout({2, 32, 1, 5, 4}, "nCdhw16c"));
    STATIC_CHECK(view(layout({2, 3}, "any"), {6}) == layout({6}, "any"));
}

TEST_CASE("view: splits a blocked axis, at its blocks and inside them") {
    constexpr layout l({2, 16, 3}, "aBc8b");
    STATIC_CHECK(view(l, {2, 2, 8, 3}) == layout({2, 2, 8, 3}, "abdc"));
    // {2, 4}: of the first of two, 2 blocks and in each 2 steps of 4.
    constexpr layout inside = view(l, {2, 4, 4, 3});
    STATIC_CHECK(inside.strides() == strides{48, 24, 1, 8});
    STATIC_CHECK(inside.digits[1] == digit{1, 2, 24});
    STATIC_CHECK(inside.digits[4] == digit{1, 2, 4});
    STATIC_CHECK(keeps_the_elements(l, inside));
    STATIC_CHECK(view(l, {2, 8, 2, 3}).inner_blocks()[0] == inner_block{1, 4});
    STATIC_CHECK(keeps_the_elements(l, view(l, {2, 8, 2, 3})));
}

TEST_CASE("view: joins axes through blocks and in any order") {
    constexpr layout blocked({2, 16, 12}, "aBc8b"), nhwc({2, 3, 4, 5}, "acdb");
    STATIC_CHECK(keeps_the_elements(blocked, view(blocked, {2, 192})));
    STATIC_CHECK(keeps_the_elements(blocked, view(blocked, {384})));
    STATIC_CHECK(keeps_the_elements(nhwc, view(nhwc, {2, 60})));
    constexpr layout joined = view(nhwc, {2, 60});
    STATIC_CHECK(joined.digits[1] == digit{1, 3, 1});
    STATIC_CHECK(joined.digits[2] == digit{1, 20, 3});
    STATIC_CHECK(view(joined, {2, 3, 4, 5}) == nhwc);
    // The inner digits are in the order of memory, whatever their axis.
    constexpr layout two = view(layout({2, 3, 2, 3}, "badc"), {6, 6});
    STATIC_CHECK(two.digits[2] == digit{0, 3, 12});
    STATIC_CHECK(two.digits[3] == digit{1, 3, 2});
    // Broadcast axes join too.
    STATIC_CHECK(keeps_the_elements(layout({2, 3}, strides{0, 1}), view(layout({2, 3}, strides{0, 1}), {6})));
}

TEST_CASE("view: refused if an extent would cut a digit that it does not divide; names the nearest") {
    STATIC_CHECK(check_view(layout({2, 16, 3}, "aBc8b"), {4, 4, 6}).ok());
    STATIC_CHECK(check_view(layout({6, 4}, "ba"), {3, 8}).ok());
    STATIC_CHECK(refused(layout({4, 6}, "ba"), {3, 8}, {reason::extents_do_not_divide, 1, 6, 8, 6}));
    STATIC_CHECK(refused(layout({2, 9}, "ba"), {3, 6}, {reason::extents_do_not_divide, 1, 9, 6, 3}));
    STATIC_CHECK(!can_be_seen_as(layout({2, 9}, "ba"), {3, 6}));
}

TEST_CASE("view: the nearest extent works, and none nearer does") {
    for (dim_t last = 1; last <= 48; ++last) {
        if (48 % last != 0) continue;
        CHECK(says_the_nearest(layout({2, 8, 3}, "aBc4b"), last));
        CHECK(says_the_nearest(layout({3, 2, 8}, "cab"), last));
        CHECK(says_the_nearest(layout({16, 3}, "ba"), last));
        CHECK(says_the_nearest(layout({4, 3, 4}, "bca"), last));
    }
}

TEST_CASE("view: a part of one block is not padded") {
    constexpr layout part = submemory(layout({32}, "A8a"), {4}, {0});
    STATIC_CHECK(view(part, {2, 2}) == layout({2, 2}, "ab"));
    STATIC_CHECK(view(by_hand({2, 4}, {2, 4}, {8, 8}, {{1, 8}}), {8}) == by_hand({8}, {8}, {8}, {{0, 4}}));
    // An axis of one element is removed if nothing replaces it, also between the axes of a group.
    constexpr layout one = submemory(layout({2, 8, 3}, "aBc4b"), {2, 1, 3}, {0, 5, 0});
    STATIC_CHECK(view(one, {6}).offset(4) == one.offset(1, 0, 1));
    STATIC_CHECK(view(one, {2, 3}) == by_hand({2, 3}, {2, 3}, {24, 4}, {}, {}, 13));
    STATIC_CHECK(view(one, {2, 1, 3}) == one);
    STATIC_CHECK(refused(layout({2, 1, 3}, "aBc4b"), {2, 3}, {reason::unit_axis_is_padded, 1, 4, 4}));
    // Two of the four digits of 2 that the block has, with a gap between them; 3 elements are no whole ones.
    constexpr layout apart({8, 2}, "AB2a2b4a");
    STATIC_CHECK(view(submemory(apart, {8, 2}, {0, 0}), {4, 4}).volume() == 16);
    STATIC_CHECK(keeps_the_elements(submemory(apart, {2, 2}, {4, 0}), view(submemory(apart, {2, 2}, {4, 0}), {4})));
    STATIC_CHECK(refused(submemory(apart, {6, 2}, {0, 0}), {2, 3, 2}, {reason::axis_is_padded, 0, 8, 6}));
}

TEST_CASE("view: padding cannot be regrouped, whether in the extent or in a block") {
    STATIC_CHECK(refused(layout({2, 15}, "aB8b"), {30}, {reason::axis_is_padded, 1, 16, 15}));
    STATIC_CHECK(refused(layout({2, 15}, "aB8b"), {2, 3, 5}, {reason::axis_is_padded, 1, 16, 15}));
    STATIC_CHECK(refused(by_hand({4}, {6}, {1}), {2, 2}, {reason::axis_is_padded, 0, 6, 4}));
    STATIC_CHECK(view(layout({2, 15}, "aB8b"), {1, 2, 15}) == layout({1, 2, 15}, "abC8c"));
    STATIC_CHECK(refused(layout({2, 1, 3}, "aBc4b"), {6}, {reason::unit_axis_is_padded, 1, 4, 4}));
}

TEST_CASE("view: commutes with bind, also if a dynamic extent becomes 1") {
    constexpr layout l({dynamic}, "A4a");
    for (const dim_t extent : {1, 2, 4, 5})
        for (const dims& to : {dims{dynamic, 1}, dims{1, dynamic}, dims{1, dynamic, 1}}) {
            dims bound_to = to;
            for (dim_t& x : bound_to)
                if (x == dynamic) x = extent;
            const layout after = bind(view(l, to), {extent}), before = view(bind(l, {extent}), bound_to);
            CHECK(after.dims == before.dims);
            CHECK(same_memory(after, before));
            CHECK(after.element_span() == before.element_span());
            // {1, 1} does not tell which of the two it was: the block goes to the right one, as in reshape.
            const bool is_said = extent != 1 || to == dims{1, dynamic};
            CHECK((after == before) == is_said);
        }
}

TEST_CASE("view: unknown extents and strides cannot be regrouped") {
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), {6}, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({2, 3, dynamic}, "bca"), {6, dynamic}, {reason::stride_is_dynamic, 1}));
    STATIC_CHECK(refused(layout({dynamic, 4}, "ba"), {4, dynamic}, {reason::dim_is_dynamic, 1, 4, dynamic}));
    STATIC_CHECK(view(layout({dynamic, 16}, "aB8b"), {dynamic, 2, 8}) == layout({dynamic, 2, 8}, "abc"));
}

TEST_CASE("view: refuses kinds, numbers and volumes as reshape does") {
    constexpr layout l({2, 8}, "aB4b");
    STATIC_CHECK(refused(l, {17}, {reason::volumes_differ, -1, 16, 17}));
    STATIC_CHECK(refused(l, {-16}, {reason::dim_is_negative, 0, -16, 0}));
    STATIC_CHECK(refused(l, {}, {reason::layout_is_undefined}));
    STATIC_CHECK(view(layout({0, 4}, "ab"), {4, 0}) == layout({4, 0}, "ab"));
}

}}  // namespace test_algebra_view
