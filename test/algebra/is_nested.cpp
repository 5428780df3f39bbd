#include <plait/algebra/is_nested.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_is_nested {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

TEST_CASE("is_nested: true for every layout from a constructor with nested strides") {
    STATIC_CHECK(is_nested(layout({2, 17, 5, 4}, "nChw8c")));
    STATIC_CHECK(is_nested(layout({2, 3}, strides{10, 2})));
    STATIC_CHECK(is_nested(layout({4, 3}, strides{0, 1})));
    STATIC_CHECK(is_nested(layout({1, 3}, strides{-5, 1})));
    STATIC_CHECK(is_nested(layout({2, dynamic}, "ab")));
    for (const layout& l : plait_test::varied_layouts) CHECK(is_nested(l));
}

TEST_CASE("is_nested: strides that do not nest are refused with the stride that would") {
    STATIC_CHECK(check_nested(by_hand({3, 4}, {3, 4}, {2, 1})) == verdict{reason::strides_do_not_nest, 0, 2, 4});
    STATIC_CHECK(check_nested(by_hand({3, 2}, {3, 2}, {2, 3})) == verdict{reason::strides_do_not_nest, 1, 3, 5});
    STATIC_CHECK(check_nested(by_hand({2, 2}, {2, 2}, {1, INT64_MAX})) ==
                 verdict{reason::size_overflows, 1, INT64_MAX, 2});
    STATIC_CHECK(check_nested(layout()) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_nested(layout({2}, "any")) == verdict{reason::layout_is_any});
    STATIC_CHECK(check_nested(plait_test::opaque_layout({2})) == verdict{reason::layout_is_opaque});
    layout malformed({2, 3}, "ab");
    malformed.digits.count = 1;
    CHECK((check_nested(malformed) == verdict{reason::layout_is_malformed, -1, 1, 2}));
    CHECK(!is_nested(malformed));
}

}  // namespace test_algebra_is_nested
