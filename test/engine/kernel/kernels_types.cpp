// Kernels that convert in registers, on the side with the wider element.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_types {

using namespace kernels;

TEST_CASE("kernels: f32 and one byte, with tails and padding") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nChw16c"), float, std::int8_t>();
    matches_both_ways<layout({20, 18, 2, 1}, "oihw"), layout({20, 18, 2, 1}, "OIhw4i16o4i"), float, std::uint8_t>();
}
TEST_CASE("kernels: f32 and two bytes") {
    matches_both_ways<layout({2, 64, 3, 32}, "nchw"), layout({2, 64, 3, 32}, "nhwc"), float, bfloat16>();
    matches_both_ways<layout({20, 18, 3, 3}, "oihw"), layout({20, 18, 3, 3}, "OIhw8i16o2i"), float, float16>();
}
TEST_CASE("kernels: eight bytes and one") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nChw8c"), double, float8_e5m2>();
}
TEST_CASE("kernels: integers, and copies") {
    matches_both_ways<layout({5, 70}, "ab"), layout({5, 70}, "ab"), std::int32_t, std::uint8_t>();
    matches_both_ways<layout({33, 40}, "ab"), layout({33, 40}, "ba"), bfloat16, float8_e4m3>();
}

}  // namespace test_engine_kernel_kernels_types
