#include <plait/core/layout.hpp>

#include "support/small_layouts.hpp"

namespace test_core_offset_by_index {

using namespace plait;
using plait_test::refusal_of;

TEST_CASE("offset_by_index: equals the offset at the position") {
    static constexpr layout l({2, 17, 3, 4}, "nChw16c");
    STATIC_CHECK(l.offset(1, 16, 2, 3) == l.offset(position{1, 16, 2, 3}));
    STATIC_CHECK(l.padded_offset(1, 31, 2, 3) == l.padded_offset(position{1, 31, 2, 3}));
    STATIC_CHECK(l.block_offset(1, 1, 2) == l.block_offset(position{1, 1, 2}));
    CHECK((refusal_of([] { return l.offset(1, 17, 2, 3); }) == verdict{reason::position_is_out_of_range, 1, 17, 17}));
    CHECK((refusal_of([] { return l.padded_offset(1, 32, 0, 0); }) ==
           verdict{reason::position_is_out_of_range, 1, 32, 32}));
    CHECK((refusal_of([] { return l.offset(1, 2, 3); }) == verdict{reason::rank_differs, -1, 3, 4}));
}

TEST_CASE("offset_by_index: a row-major number after the last element is refused with the extent that it exceeds") {
    static constexpr layout l({2, 3}, "ba");
    STATIC_CHECK(l.linear_offset(5) == l.offset(1, 2));
    CHECK((refusal_of([] { return l.linear_offset(6); }) == verdict{reason::position_is_out_of_range, 0, 2, 2}));
    CHECK((refusal_of([] { return l.linear_offset(100); }) == verdict{reason::position_is_out_of_range, 0, 33, 2}));
    CHECK((refusal_of([] { return l.padded_linear_offset(6); }) == verdict{reason::position_is_out_of_range, 0, 2, 2}));
    CHECK((refusal_of([] { return l.linear_offset(-1); }) == verdict{reason::position_is_out_of_range, 1, -1, 3}));
    STATIC_CHECK(unravel(l.dims, 4) == position{1, 1});
}

}  // namespace test_core_offset_by_index
