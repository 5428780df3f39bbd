#include <plait/algebra/broadcast_axis.hpp>

#include "laws/view_laws.hpp"

namespace test_algebra_broadcast_axis { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::broadcasts_every_unit_axis, plait_test::by_hand, plait_test::shares_the_element;

constexpr bool refused(const layout& l, int axis, dim_t extent, const verdict& why) {
    return check_broadcast_axis(l, axis, extent) == why && !try_broadcast_axis(l, axis, extent).has_value();
}

TEST_CASE("broadcast_axis: has the same element at every index") {
    STATIC_CHECK(broadcast_axis(layout({1, 3}, "ab"), 0, 4) == layout({4, 3}, strides{0, 1}));
    STATIC_CHECK(broadcast_axis(layout({3, 1}, "ab"), 1, 4) == layout({3, 4}, strides{1, 0}));
    STATIC_CHECK(broadcast_axis(layout({1, 17, 2}, "aBc8b"), 0, 4).offset(3, 9, 1) == 16 + 8 + 1);
    STATIC_CHECK(shares_the_element(layout({1, 5, 2}, "aBc4b"), 0, 3));
    STATIC_CHECK(broadcast_axis(layout({1, 3}, "ab"), 0, 1) == layout({1, 3}, "ab"));
    STATIC_CHECK(broadcast_axis(layout({1, 3}, "ab"), 0, 0).volume() == 0);
    for (const layout& l : plait_test::varied_layouts) CHECK(broadcasts_every_unit_axis(l));
    for (const layout& l : plait_test::broadcast_layouts) CHECK(broadcasts_every_unit_axis(l));
    CHECK(broadcasts_every_unit_axis(layout({1, 1}, strides{-7, INT64_MAX})));
    layout same({1, 3}, "ab");
    same = broadcast_axis(same, 0, 2);
    CHECK(same == layout({2, 3}, strides{0, 1}));
}

TEST_CASE("broadcast_axis: this axis and others may be dynamic") {
    constexpr layout any_count = broadcast_axis(layout({1, 3}, "ab"), 0, dynamic);
    STATIC_CHECK(any_count == layout({dynamic, 3}, strides{0, 1}));
    STATIC_CHECK(bind(any_count, {4}) == layout({4, 3}, strides{0, 1}));
    // An axis outside the broadcast one is now outside the axis that it was outside of.
    constexpr layout l({2, 1, dynamic}, "abc");
    constexpr layout wide = broadcast_axis(l, 1, 4);
    STATIC_CHECK(wide.digits[0].stride == outside(2));
    STATIC_CHECK(bind(wide, {5}) == broadcast_axis(bind(l, {5}), 1, 4));
    STATIC_CHECK(bind(broadcast_axis(l, 1, dynamic), {4, 5}) == broadcast_axis(bind(l, {5}), 1, 4));
}

TEST_CASE("broadcast_axis: each refusal") {
    constexpr layout l({2, 1}, "ab");
    STATIC_CHECK(refused(l, 0, 4, {reason::axis_is_not_one_element, 0, 2, 2}));
    STATIC_CHECK(refused(layout({1, 2}, "Ab4a"), 0, 4, {reason::axis_is_not_one_element, 0, 1, 4}));
    STATIC_CHECK(refused(layout({0, 2}, "ab"), 0, 4, {reason::axis_is_not_one_element, 0, 0, 0}));
    STATIC_CHECK(refused(by_hand({1}, {2}, {1}), 0, 4, {reason::axis_is_not_one_element, 0, 1, 2}));
    STATIC_CHECK(refused(by_hand({0}, {1}, {1}), 0, 4, {reason::axis_is_not_one_element, 0, 0, 1}));
    layout broken({2, 1}, "ab");
    broken.padded_dims[1] = 5;
    CHECK(refused(broken, 1, 4, {reason::digits_do_not_cover_axis, 1, 1, 5}));
    // An axis of one element in a block has all places of the block.
    // Of a block of 8 the first one, but not all 8.
    STATIC_CHECK(broadcast_axis(by_hand({1}, {1}, {8}, {{0, 8}}), 0, 4) == layout({4}, strides{0}));
    STATIC_CHECK(refused(by_hand({1}, {8}, {8}, {{0, 8}}), 0, 4, {reason::axis_is_not_one_element, 0, 1, 8}));
    STATIC_CHECK(refused(layout({dynamic, 1}, "ab"), 0, 4, {reason::dim_is_dynamic, 0}));
    STATIC_CHECK(refused(l, 1, -1, {reason::dim_is_negative, 1, -1, 0}));
    STATIC_CHECK(refused(l, 1, dynamic + 1, {reason::dim_is_negative, 1, dynamic + 1, 0}));
    STATIC_CHECK(refused(l, 1, INT64_MAX, {reason::size_overflows, 1, 2, INT64_MAX}));
    STATIC_CHECK(refused(l, 2, 1, {reason::axis_is_out_of_range, -1, 2, 2}));
    STATIC_CHECK(refused(l, -1, 1, {reason::axis_is_out_of_range, -1, -1, 2}));
    STATIC_CHECK(refused(by_hand({3, 1}, {2, 1}, {1, 1}), 1, 4, {reason::padded_dim_does_not_fit, 0, 2, 3}));
}

}}  // namespace test_algebra_broadcast_axis
