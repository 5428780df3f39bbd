#include <plait/algebra/strided_slice.hpp>

#include "laws/stepped_rules.hpp"
#include "laws/view_laws.hpp"

namespace test_algebra_strided_slice {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;
using plait_test::strided_slices_are_right;

namespace {

constexpr bool refused(const layout& l, int axis, dim_t begin, dim_t end, dim_t step, const verdict& why) {
    return check_strided_slice(l, axis, begin, end, step) == why &&
           !try_strided_slice(l, axis, begin, end, step).has_value();
}

}  // namespace

TEST_CASE("strided_slice: every n-th index of an axis without blocks, forwards and backwards") {
    constexpr layout l({2, 7, 4}, "abc");
    STATIC_CHECK(strided_slice(l, 1, 0, 7, 2) == by_hand({2, 4, 4}, {2, 4, 4}, {28, 8, 1}));
    STATIC_CHECK(strided_slice(l, 1, 1, 7, 2) == by_hand({2, 3, 4}, {2, 3, 4}, {28, 8, 1}, {}, {}, 4));
    STATIC_CHECK(strided_slice(l, 1, 1, 6, 2).dims[1] == 3);
    STATIC_CHECK(strided_slice(l, 2, 3, -1, -1) == by_hand({2, 7, 4}, {2, 7, 4}, {28, 4, -1}, {}, {}, 3));
    STATIC_CHECK(strided_slice(l, 2, 3, 0, -2) == by_hand({2, 7, 2}, {2, 7, 2}, {28, 4, -2}, {}, {}, 3));
    STATIC_CHECK(strided_slice(l, 1, 5, 6, 1000).offset(1, 0, 2) == l.offset(1, 5, 2));
    STATIC_CHECK(strided_slice(l, 1, 0, 7, 1) == l);
    STATIC_CHECK(strided_slice(l, 1, 3, 3, 1).dims[1] == 0);
    STATIC_CHECK(strided_slice(l, 1, 7, 7, 5).volume() == 0);
    STATIC_CHECK(strided_slice(l, 1, 0, 7, INT64_MAX).dims[1] == 1);
    STATIC_CHECK(strided_slice(l, 1, 6, -1, INT64_MIN).offset(1, 0, 2) == l.offset(1, 6, 2));
    STATIC_CHECK(strided_slice(layout({3, 4}, strides{0, 1}), 0, 0, 3, 2) == layout({2, 4}, strides{0, 1}));
}

TEST_CASE("strided_slice: blocks become shorter, are passed, or go backwards") {
    constexpr layout l({2, 32, 5, 6}, "nChw16c");
    constexpr layout even = strided_slice(l, 1, 0, 32, 2);
    STATIC_CHECK(even.digits.size() == 5 && even.digits[1] == digit{1, 2, 480} && even.digits[4] == digit{1, 8, 2});
    STATIC_CHECK(strided_slice(l, 1, 1, 32, 2).offset0 == 1);
    STATIC_CHECK(strided_slice(l, 1, 3, 32, 16).digits[1] == digit{1, 2, 480});
    STATIC_CHECK(strided_slice(l, 1, 0, 16, 3).digits[1] == digit{1, 6, 3});
    constexpr layout turned = strided_slice(l, 1, 31, -1, -1);
    STATIC_CHECK(turned.digits[1] == digit{1, 2, -480} && turned.digits[4] == digit{1, 16, -1});
    STATIC_CHECK(strided_slice(l, 1, 0, 32, 1) == l);
    // 3, 6, 9, 12 are the values 3, 2, 1, 0 in blocks of 4.
    constexpr layout fours({16, 5}, "Ab4a");
    STATIC_CHECK(strided_slice(fours, 0, 3, 15, 3).digits[0].extent == 4);
}

TEST_CASE("strided_slice: the padding of the last block is padding, and no element is") {
    constexpr layout l({1, 17, 2, 2}, "nChw16c");
    constexpr layout even = strided_slice(l, 1, 0, 17, 2);
    STATIC_CHECK(even.dims[1] == 9 && even.padded_dims[1] == 16);
    STATIC_CHECK(strided_slice(l, 1, 0, 17, 1) == l);
    STATIC_CHECK(refused(layout({1, 40, 2, 2}, "nChw16c"), 1, 0, 18, 2, {reason::part_cuts_a_block, 1, 18, 16}));
}

TEST_CASE("strided_slice: has the elements, is refused only if no layout has them, and owns no more padding") {
    for (const layout& l : plait_test::varied_layouts) CHECK(strided_slices_are_right(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(strided_slices_are_right(l));
    CHECK(strided_slices_are_right(layout({12, 2}, "Ab4a")));
    CHECK(strided_slices_are_right(layout({24, 2}, "bA2a4a")));
    CHECK(strided_slices_are_right(layout({24, 6}, "AB2a3b4a")));
    CHECK(strided_slices_are_right(layout({18, 6}, "AB2a3b3a")));
    CHECK(strided_slices_are_right(layout({17, 6}, "AB2a3b4a")));
    CHECK(strided_slices_are_right(layout({13, 2}, "Ab8a")));
    CHECK(strided_slices_are_right(layout({9, 3}, strides{-3, 1})));
    CHECK(strided_slices_are_right(submemory(layout({24, 6}, "AB2a3b4a"), {3, 6}, {9, 0})));
    layout behind({10, 2}, "Ab8a");
    behind.padded_offsets[0] = 5;
    CHECK(strided_slices_are_right(behind));
}

TEST_CASE("strided_slice: other axes may be dynamic") {
    constexpr layout l({dynamic, 9, 5}, "abc");
    STATIC_CHECK(bind(strided_slice(l, 1, 0, 9, 2), {3}) == strided_slice(bind(l, {3}), 1, 0, 9, 2));
    STATIC_CHECK(strided_slice(l, 2, 4, -1, -1).offset0 == 4);
    constexpr layout outer({9, dynamic}, "ab");
    STATIC_CHECK(refused(outer, 0, 0, 9, 2, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(check_strided_slice(outer, 0, 0, 1, 2).ok());
    constexpr layout blocked({8, dynamic, 2}, "bAc4a");
    STATIC_CHECK(bind(strided_slice(blocked, 0, 0, 4, 2), {7}) == strided_slice(bind(blocked, {7}), 0, 0, 4, 2));
}

TEST_CASE("strided_slice: each refusal") {
    constexpr layout l({2, 8, 3}, "abc");
    STATIC_CHECK(refused(l, 3, 0, 1, 1, {reason::axis_is_out_of_range, -1, 3, 3}));
    STATIC_CHECK(refused(l, -1, 0, 1, 1, {reason::axis_is_out_of_range, -1, -1, 3}));
    STATIC_CHECK(refused(l, 1, 0, 9, 2, {reason::part_is_outside_parent, 1, 9, 8}));
    STATIC_CHECK(refused(l, 1, -1, 8, 2, {reason::part_is_outside_parent, 1, -1, 8}));
    STATIC_CHECK(refused(l, 1, 8, -1, -1, {reason::part_is_outside_parent, 1, 8, 8}));
    STATIC_CHECK(refused(l, 1, 7, -2, -1, {reason::part_is_outside_parent, 1, -2, 8}));
    STATIC_CHECK(refused(l, 1, dynamic, 8, 1, {reason::part_is_outside_parent, 1, dynamic, 8}));
    STATIC_CHECK(refused(l, 1, 2, 6, 0, {reason::step_leads_away, 1, 0, 2, 6}));
    STATIC_CHECK(refused(l, 1, 2, 2, 0, {reason::step_leads_away, 1, 0, 2, 2}));
    STATIC_CHECK(refused(l, 1, 6, 2, 1, {reason::step_leads_away, 1, 1, 6, 2}));
    STATIC_CHECK(refused(l, 1, 2, 6, -1, {reason::step_leads_away, 1, -1, 2, 6}));
    STATIC_CHECK(refused(layout({dynamic, 3}, "ab"), 0, 0, 1, 1, {reason::dim_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({32, 2}, "Ab16a"), 0, 0, 32, 3, {reason::step_cuts_a_block, 0, 3, 0, 16}));
    STATIC_CHECK(refused(layout(), 0, 0, 1, 1, {reason::layout_is_undefined}));
    STATIC_CHECK(refused(layout({2, 3}, "any"), 0, 0, 1, 1, {reason::layout_is_any}));
}

}  // namespace test_algebra_strided_slice
