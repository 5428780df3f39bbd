#include <plait/algebra/is_injective.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_is_injective { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

TEST_CASE("is_injective: false if a broadcast axis has more than one index") {
    STATIC_CHECK(is_injective(layout({2, 17, 5, 4}, "nChw8c")));
    STATIC_CHECK(is_injective(layout({2, 3}, strides{10, 2})));
    STATIC_CHECK(!is_injective(layout({4, 3}, strides{0, 1})));
    STATIC_CHECK(!is_injective(layout({3}, strides{0})));
    STATIC_CHECK(is_injective(layout({1, 3}, strides{0, 1})));
    STATIC_CHECK(is_injective(layout({1, 3}, strides{-5, 1})));
    // One block: the outer digit has one value, whatever its stride.
    STATIC_CHECK(is_injective(layout({2, 5}, "aB8b", strides{8, 0})));
    STATIC_CHECK(!is_injective(layout({2, 9}, "aB8b", strides{8, 0})));
    // Padding counts too.
    STATIC_CHECK(!is_injective(by_hand({1, 3}, {2, 3}, {0, 1})));
}

TEST_CASE("is_injective: true without elements; false if a stride is unknown") {
    STATIC_CHECK(is_injective(layout({0, 3}, strides{1, 0})));
    STATIC_CHECK(is_injective(layout()));
    STATIC_CHECK(!is_injective(layout({2, 3}, "any")));
    STATIC_CHECK(!is_injective(plait_test::opaque_layout({2})));
    STATIC_CHECK(!is_injective(layout({2, dynamic}, "ab")));
    STATIC_CHECK(!is_injective(layout({2, 3}, strides{dynamic, 1})));
}

}}  // namespace test_algebra_is_injective
