#include <plait/algebra/position_of.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_position_of {

using namespace plait;
using plait_test::by_hand;

TEST_CASE("position_of: empty for padding, gaps, and offsets outside") {
    constexpr layout blocked({2, 17, 5, 4}, "nChw8c"), gaps({2, 3}, strides{10, 2});
    STATIC_CHECK(!position_of(blocked, blocked.padded_offset(0, 17, 0, 0)).has_value());
    STATIC_CHECK(!position_of(blocked, 960).has_value());
    STATIC_CHECK(!position_of(blocked, -1).has_value());
    STATIC_CHECK(!position_of(blocked, INT64_MAX).has_value());
    STATIC_CHECK(!position_of(blocked, INT64_MIN).has_value());
    STATIC_CHECK(position_of(gaps, 12) == position{1, 1});
    STATIC_CHECK(!position_of(gaps, 1).has_value());
    STATIC_CHECK(!position_of(gaps, 6).has_value());
    STATIC_CHECK(!position_of(gaps, 16).has_value());
    STATIC_CHECK(!position_of(layout({2, 0}, "ab"), 0).has_value());
    STATIC_CHECK(!position_of(layout({0, 2}, strides{0, 1}), 0).has_value());
}

TEST_CASE("position_of: layouts whose offsets do not determine positions are refused") {
    STATIC_CHECK(check_position_of(layout({2, 3}, "ab")).ok());
    STATIC_CHECK(check_position_of(layout({4, 3}, strides{0, 1})) == verdict{reason::layout_is_not_injective, 0, 4, 0});
    STATIC_CHECK(check_position_of(layout()) == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_position_of(layout({2}, "any")) == verdict{reason::layout_is_any});
    STATIC_CHECK(check_position_of(plait_test::opaque_layout({2})) == verdict{reason::layout_is_opaque});
    STATIC_CHECK(check_position_of(layout({dynamic, 2}, "ab")) == verdict{reason::dim_is_dynamic, 0, 0, 0});
    STATIC_CHECK(check_position_of(layout({2, 2}, strides{dynamic, 1})) == verdict{reason::stride_is_dynamic, 0, 0, 0});
    CHECK((plait_test::refusal_of([] {
               return position_of(layout({4, 3}, strides{0, 1}), 0);
           }).reason == reason::layout_is_not_injective));
}

TEST_CASE("position_of: strides that do not nest are refused, sharing or not") {
    STATIC_CHECK(check_position_of(by_hand({3, 4}, {3, 4}, {2, 1})) == verdict{reason::strides_do_not_nest, 0, 2, 4});
    STATIC_CHECK(check_position_of(by_hand({3, 2}, {3, 2}, {2, 3})) == verdict{reason::strides_do_not_nest, 1, 3, 5});
    // Backwards, starting at 5.
    STATIC_CHECK(position_of(by_hand({2}, {2}, {-1}, {}, {}, 5), 4) == position{1});
    STATIC_CHECK(!position_of(by_hand({2}, {2}, {-1}, {}, {}, 5), 6) &&
                 !position_of(by_hand({2}, {2}, {-1}, {}, {}, 5), 3));
    // Strides that nest only for the existing part of a block.
    constexpr layout part = by_hand({2, 3}, {2, 3}, {3, 8}, {{1, 4}});
    STATIC_CHECK(position_of(part, 5) == position{1, 2});
    STATIC_CHECK(!position_of(part, 6).has_value());
    STATIC_CHECK(check_position_of(by_hand({2}, {2}, {1}, {}, {}, -9)).reason == reason::layout_is_malformed);
}

TEST_CASE("position_of: far offsets of huge layouts, without a loop over elements") {
    constexpr dim_t huge = dim_t{1} << 30;
    constexpr layout l({huge, huge}, "Ba16b");
    STATIC_CHECK(position_of(layout({huge, huge}, "ba"), huge * huge - 1) == position{huge - 1, huge - 1});
    STATIC_CHECK(position_of(l, l.offset(huge - 2, huge - 3)) == position{huge - 2, huge - 3});
}

}  // namespace test_algebra_position_of
