// Tiles that pass the end of an axis: if the plan is a constant, each has its own code, with the remaining
// lanes as constants.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_ends {

using namespace kernels;

TEST_CASE("kernels: a partly filled block is the last of its axis, for each size of elements") {
    matches_both_ways<layout({1, 17, 5, 7}, "nchw"), layout({1, 17, 5, 7}, "nChw16c"), float>();
    matches_both_ways<layout({2, 18, 5, 13}, "nchw"), layout({2, 18, 5, 13}, "nChw16c"), float16>();
    matches_both_ways<layout({1, 37, 3, 11}, "nhwc"), layout({1, 37, 3, 11}, "nChw16c"), std::int8_t>();
    matches_both_ways<layout({1, 11, 3, 5}, "nhwc"), layout({1, 11, 3, 5}, "nChw8c"), double>();
}
TEST_CASE("kernels: the last tile that has elements comes before the last that is stored") {
    // Blocks of 16 in tiles of 8 lanes: with 17, the third has one, and the fourth is padding.
    constexpr layout plain({1, 17, 6, 6}, "nhwc"), blocks({1, 17, 6, 6}, "nChw16c");
    STATIC_CHECK(make_plan(plain, blocks, element_sizes(4), isa::avx2)->pattern.lane_bits == 3);
    matches_both_ways<plain, blocks, float>();
    matches_both_ways<layout({3, 33, 9}, "abc"), layout({3, 33, 9}, "aBc32b"), std::uint8_t>();
}
TEST_CASE("kernels: tiles that pass the ends of two axes, and of one") {
    matches_both_ways<layout({37, 41}, "ab"), layout({37, 41}, "AB16b16a"), float>();
    matches_both_ways<layout({21, 35, 3, 3}, "abcd"), layout({21, 35, 3, 3}, "ABcd8b16a2b"), bfloat16>();
    matches_both_ways<layout({21, 37, 3}, "abc"), layout({21, 37, 3}, "ABc4b16a4b"), std::int8_t>();
}
TEST_CASE("kernels: the last tile converts") {
    matches_both_ways<layout({1, 17, 5, 7}, "nchw"), layout({1, 17, 5, 7}, "nChw16c"), float, bfloat16>();
    matches_both_ways<layout({1, 33, 4, 4}, "nhwc"), layout({1, 33, 4, 4}, "nChw16c"), float, std::int8_t>();
}

}  // namespace test_engine_kernel_kernels_ends
