#include <plait/algebra/slice.hpp>

#include "laws/view_laws.hpp"

namespace test_algebra_slice { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand, plait_test::slices_are_the_elements;

constexpr bool refused(const layout& l, int axis, dim_t index, const verdict& why) {
    return check_slice(l, axis, index) == why && !try_slice(l, axis, index).has_value();
}

/// Checks that two indices can be fixed in either order.
bool slices_commute(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        for (int b = a + 1; b < l.ndims(); ++b)
            for (dim_t i = 0; i < l.dims[a]; ++i)
                for (dim_t j = 0; j < l.dims[b]; ++j)
                    if (l.ndims() > 2 && slice(slice(l, a, i), b - 1, j) != slice(slice(l, b, j), a, i)) return false;
    return true;
}

TEST_CASE("slice: fixes one index of an axis") {
    constexpr layout l({2, 3, 4}, "abc");
    STATIC_CHECK(slice(l, 0, 1) == by_hand({3, 4}, {3, 4}, {4, 1}, {}, {}, 12));
    STATIC_CHECK(slice(l, 1, 2) == by_hand({2, 4}, {2, 4}, {12, 1}, {}, {}, 8));
    STATIC_CHECK(slice(l, 2, 3) == by_hand({2, 3}, {2, 3}, {12, 4}, {}, {}, 3));
    // A channel of a blocked layout: neighbours in the result are a block apart.
    constexpr layout blocked({2, 17, 5, 4}, "nChw8c");
    STATIC_CHECK(slice(blocked, 1, 13) == by_hand({2, 5, 4}, {2, 5, 4}, {480, 32, 8}, {}, {}, 160 + 5));
    // The blocks of the other axes stay, with their stride.
    constexpr layout both({32, 32}, "AB16a16b");
    constexpr layout row = slice(both, 1, 17);
    STATIC_CHECK(row.digits.size() == 2);
    STATIC_CHECK(row.digits[1] == digit{0, 16, 16});
    STATIC_CHECK(row.offset(18) == both.offset(18, 17));
}

TEST_CASE("slice: has the elements of the layout with the index inserted") {
    STATIC_CHECK(slices_are_the_elements(layout({3, 9, 2}, "BAc2a4b2a")));
    for (const layout& l : plait_test::varied_layouts) {
        CHECK(slices_are_the_elements(l));
        CHECK(slices_commute(l));
    }
    for (const layout& l : plait_test::broadcast_layouts) CHECK(slices_are_the_elements(l));
    CHECK(slices_are_the_elements(layout({0, 2, 3}, "aBc4b")));
    layout same({2, 3}, "ab");
    same = slice(same, 0, 1);
    CHECK(same == by_hand({3}, {3}, {1}, {}, {}, 3));
}

TEST_CASE("slice: other axes may be dynamic, and their strides depend on the remaining axes") {
    // a is outside b, which is outside c: 2 and 1 after the first axis is gone.
    constexpr layout l({4, 2, 3, dynamic}, "abcd");
    STATIC_CHECK(slice(l, 0, 0).digits[0].stride == outside(1));
    STATIC_CHECK(slice(l, 0, 0) == layout({2, 3, dynamic}, "abc"));
    STATIC_CHECK(refused(l, 0, 1, {reason::stride_is_dynamic, 0}));
    // A stride is unknown if the axis inside it is gone, unless that had one value.
    STATIC_CHECK(slice(l, 1, 0).digits[0].stride == dynamic);
    STATIC_CHECK(slice(l, 1, 0).digits[1].stride == outside(2));
    constexpr layout unit({4, 1, 3, dynamic}, "abcd");
    STATIC_CHECK(slice(unit, 1, 0) == layout({4, 3, dynamic}, "abc"));
    STATIC_CHECK(bind(slice(unit, 1, 0), {5}) == slice(bind(unit, {5}), 1, 0));
    STATIC_CHECK(bind(slice(l, 0, 0), {5}) == slice(bind(l, {5}), 0, 0));
    // Strides that depend on an axis before the removed one do not change.
    STATIC_CHECK(slice(layout({dynamic, 3, 2, 4}, "dcba"), 3, 0) == layout({dynamic, 3, 2}, "cba"));
    // The first block of a dynamic stride has known places.
    constexpr layout blocked({8, dynamic, 2}, "bAc4a");
    STATIC_CHECK(bind(slice(blocked, 0, 3), {7}) == slice(bind(blocked, {7}), 0, 3));
    STATIC_CHECK(slice(layout({dynamic, 9}, "aB4b"), 1, 6).offset0 == 6);
    STATIC_CHECK(slice(layout({dynamic, 9}, strides{100, 3}), 1, 6) ==
                 by_hand({dynamic}, {dynamic}, {100}, {}, {}, 18));
    // Cyclic links have no number.
    layout circle({1, 1, 3}, "abc");
    circle.digits[0].stride = outside(1);
    circle.digits[1].stride = outside(0);
    CHECK((slice(circle, 1, 0).strides() == strides{dynamic, 1}));
    CHECK(slice(circle, 1, 0).digits[0].stride == dynamic);
    circle.digits[1].stride = outside(1);
    CHECK(slice(circle, 1, 0).digits[0].stride == dynamic);
}

TEST_CASE("slice: each refusal") {
    constexpr layout l({2, 3}, "ab");
    STATIC_CHECK(refused(l, 2, 0, {reason::axis_is_out_of_range, -1, 2, 2}));
    STATIC_CHECK(refused(l, -1, 0, {reason::axis_is_out_of_range, -1, -1, 2}));
    STATIC_CHECK(refused(l, INT32_MAX, 0, {reason::axis_is_out_of_range, -1, INT32_MAX, 2}));
    STATIC_CHECK(refused(l, 1, 3, {reason::position_is_out_of_range, 1, 3, 3}));
    STATIC_CHECK(refused(l, 1, -1, {reason::position_is_out_of_range, 1, -1, 3}));
    STATIC_CHECK(refused(l, 1, dynamic, {reason::position_is_out_of_range, 1, dynamic, 3}));
    STATIC_CHECK(refused(layout({0, 3}, "ab"), 0, 0, {reason::position_is_out_of_range, 0, 0, 0}));
    STATIC_CHECK(refused(layout({3}, "a"), 0, 1, {reason::layout_is_undefined}));
    STATIC_CHECK(refused(layout({3}, "a"), 1, 1, {reason::axis_is_out_of_range, -1, 1, 1}));
    STATIC_CHECK(refused(layout({dynamic, 3}, "ab"), 0, 0, {reason::dim_is_dynamic, 0}));
    STATIC_CHECK(refused(layout({2, 3}, strides{dynamic, 1}), 0, 1, {reason::stride_is_dynamic, 0}));
    STATIC_CHECK(check_slice(layout({2, 3}, strides{dynamic, 1}), 0, 0).ok());
    STATIC_CHECK(refused(by_hand({3, 2}, {2, 2}, {2, 1}), 1, 0, {reason::padded_dim_does_not_fit, 0, 2, 3}));
    // The beginning must fit even without elements.
    constexpr layout far = by_hand({0, 3}, {0, 3}, {1, 1}, {}, {}, INT64_MAX - 1);
    STATIC_CHECK(refused(far, 1, 2, {reason::size_overflows, 1, 2, 1}));
    STATIC_CHECK(check_slice(far, 1, 1).ok());
}

}}  // namespace test_algebra_slice
