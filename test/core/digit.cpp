#include <plait/core/digit.hpp>

#include "support/small_layouts.hpp"

namespace test_core_digit {

using namespace plait;
using namespace plait::detail;

TEST_CASE("digit: compares the axis, the extent and the stride") {
    STATIC_CHECK(digit{1, 2, 3} == digit{1, 2, 3});
    STATIC_CHECK(digit{1, 2, 3} != digit{0, 2, 3});
    STATIC_CHECK(digit{1, 2, 3} != digit{1, 0, 3});
    STATIC_CHECK(digit{1, 2, 3} != digit{1, 2, 0});
}

TEST_CASE("digit: a stride is exactly one of known, unknown, and directly outside another axis") {
    STATIC_CHECK(!is_known(dynamic));
    STATIC_CHECK(!is_outside(dynamic));
    STATIC_CHECK([] {
        for (int axis = 0; axis < max_ndims; ++axis) {
            const dim_t stride = outside(axis);
            if (is_known(stride) || !is_outside(stride) || axis_inside(stride) != axis) return false;
        }
        return true;
    }());
    // The first value after the twelve is an ordinary number.
    STATIC_CHECK(is_known(outside(max_ndims - 1) + 1));
    STATIC_CHECK(!is_outside(outside(max_ndims - 1) + 1));
    STATIC_CHECK(is_known(0));
    STATIC_CHECK(is_known(-1));
    STATIC_CHECK(is_known(INT64_MAX));
}

}  // namespace test_core_digit
