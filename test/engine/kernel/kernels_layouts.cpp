// Layouts that need more than lanes and registers: interleaves, blocks that do not divide each other.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_layouts {

using namespace kernels;

TEST_CASE("kernels: three channels, as planes and interleaved, for every element size") {
    matches_both_ways<layout({2, 3, 9, 30}, "nchw"), layout({2, 3, 9, 30}, "nhwc"), std::uint8_t>();
    matches_both_ways<layout({2, 3, 7, 7}, "nchw"), layout({2, 3, 7, 7}, "nhwc"), bfloat16>();
    matches_both_ways<layout({2, 3, 7, 5}, "nchw"), layout({2, 3, 7, 5}, "nhwc"), float>();
    matches_both_ways<layout({1, 3, 7, 5}, "nchw"), layout({1, 3, 7, 5}, "nhwc"), double>();
}
TEST_CASE("kernels: five, six and seven interleaved channels, with padding around them") {
    matches_both_ways<layout({2, 5, 9, 8}, "nchw"), layout({2, 5, 9, 8}, "nhwc"), std::uint8_t>();
    matches_both_ways<layout({3, 6, 17, 3}, "Abcd4a"), layout({3, 6, 17, 3}, "acdb"), float16>();
    matches_both_ways<layout({1, 7, 17, 2}, "nchw"), layout({1, 7, 17, 2}, "nhwc"), float>();
    matches_both_ways<layout({2, 3, 70}, "abc"), layout({2, 3, 70}, "aCb16c"), std::uint8_t>();
}
TEST_CASE("kernels: three interleaved channels that convert") {
    matches_both_ways<layout({2, 3, 9, 30}, "nchw"), layout({2, 3, 9, 30}, "nhwc"), float, std::uint8_t>();
    matches_both_ways<layout({2, 3, 9, 30}, "nhwc"), layout({2, 3, 9, 30}, "nchw"), float, bfloat16>();
}
TEST_CASE("kernels: blocks that do not divide each other") {
    matches_both_ways<layout({1, 100, 3, 2}, "aBcd32b"), layout({1, 100, 3, 2}, "aBcd48b"), float>();
    matches_both_ways<layout({50, 30}, "AB16a16b"), layout({50, 30}, "BA24a24b"), std::int8_t>();
}
TEST_CASE("kernels: rows that compete for cache sets go through a staging buffer") {
    constexpr layout wide({300, 48}, strides{48, 1}), tall({300, 48}, strides{1, 1024});
    STATIC_CHECK(make_plan(wide, tall, element_sizes(4), isa::avx512)->staged_from > 0);
    STATIC_CHECK(make_plan(wide, tall, element_sizes(4), isa::avx2)->staged_from > 0);
    STATIC_CHECK(make_plan(wide, layout({300, 48}, strides{1, 1040}), element_sizes(4), isa::avx512)->staged_from < 0);
    matches_with_every_isa<wide, tall>();
    matches_with_every_isa<layout({5, 1023, 40}, strides{41 * 1023, 41, 1}),
                           layout({5, 1023, 40}, strides{41472, 1, 1023}), bfloat16>();
    matches_with_every_isa<layout({1000, 70}, strides{70, 1}), layout({1000, 70}, strides{1, 2047}), float,
                           std::int8_t>();
}
TEST_CASE("kernels: axes that run backwards, in the source, in the destination, and in both") {
    constexpr layout images({2, 16, 9, 8}, strides{1152, 72, -8, 1});  // stored from the bottom up
    matches_both_ways<images, layout({2, 16, 9, 8}, "nchw"), float>();
    matches_both_ways<images, layout({2, 16, 9, 8}, "nhwc"), std::uint8_t>();
    matches_both_ways<images, layout({2, 16, 9, 8}, "nChw8c"), float, bfloat16>();
    matches_with_every_isa<images, images>();
    // Innermost; in blocks, with channels that are padded; and blocks that do not divide the others.
    matches_both_ways<layout({2, 17, 5, 8}, strides{680, 40, 8, -1}), layout({2, 17, 5, 8}, "nChw16c"), float>();
    matches_both_ways<layout({2, 32, 5, 4}, strides{640, -20, 4, 1}), layout({2, 32, 5, 4}, "nChw16c"), std::int8_t>();
    matches_both_ways<layout({2, 40, 5}, "aBc16b", strides{480, -80, 16}), layout({2, 40, 5}, "acb"), float16>();
    matches_both_ways<layout({96, 4}, "Ab32a", strides{-128, 32}), layout({96, 4}, "Ab48a"), double, float>();
}

}  // namespace test_engine_kernel_kernels_layouts
