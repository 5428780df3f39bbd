#include <plait/algebra/is_injective.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_is_injective {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

namespace {

/// Checks the definition: no offset of a padded element occurs twice.
constexpr bool no_offset_twice(const layout& l) {
    const dim_t n = l.padded_volume();
    for (dim_t i = 0; i < n; ++i)
        for (dim_t j = 0; j < i; ++j)
            if (l.padded_linear_offset(i) == l.padded_linear_offset(j)) return false;
    return true;
}

}  // namespace

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

TEST_CASE("is_injective: agrees with the definition") {
    STATIC_CHECK([] {
        for (const layout& l : plait_test::broadcast_layouts)
            if (is_injective(l) || no_offset_twice(l)) return false;
        return true;
    }());
    for (const layout& l : plait_test::varied_layouts) {
        CHECK(is_injective(l));
        CHECK(no_offset_twice(l));
    }
    // Views of a part of a block: the digits that are not reached share nothing.
    for (dim_t stride : {0, 8, 16})
        for (dim_t part : {0, 1, 3, 8}) {
            const layout l = by_hand({1, part}, {1, part}, {stride, stride}, {{1, 8}});
            CHECK(check_layout(l).ok());
            CHECK(is_injective(l) == no_offset_twice(l));
        }
    // Of two blocks in a block only the inner one is reached, so the place of the outer one does not matter.
    layout l = by_hand({4}, {4}, {8}, {{0, 2}, {0, 4}});
    l.digits[1].stride = 0;
    CHECK(check_layout(l).ok());
    CHECK(is_injective(l));
    CHECK(no_offset_twice(l));
    CHECK(first_shared_digit(l) == -1);
    l.dims = l.padded_dims = {5};
    CHECK(!is_injective(l));
    CHECK(first_shared_digit(l) == 1);
}

TEST_CASE("is_injective: hand-made layouts whose strides do not nest") {
    STATIC_CHECK(!is_injective(by_hand({3, 4}, {3, 4}, {2, 1})));
    STATIC_CHECK(is_injective(by_hand({3, 2}, {3, 2}, {2, 3})));
    // Too many elements to count.
    STATIC_CHECK(!is_injective(by_hand({INT64_MAX, INT64_MAX}, {INT64_MAX, INT64_MAX}, {1, 1})));
    STATIC_CHECK(is_injective(by_hand({INT64_MAX, 0, INT64_MAX}, {INT64_MAX, 0, INT64_MAX}, {1, 1, 1})));
}

}  // namespace test_algebra_is_injective
