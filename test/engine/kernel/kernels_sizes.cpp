// The same kernels move elements of every size.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_sizes {

using namespace kernels;

TEST_CASE("kernels: one byte") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nChw16c"), std::int8_t>();
    matches_both_ways<layout({20, 18, 2, 1}, "oihw"), layout({20, 18, 2, 1}, "OIhw4i16o4i"), std::uint8_t>();
}
TEST_CASE("kernels: one byte, transposes of short rows, which have many candidate tiles") {
    matches_both_ways<layout({16, 16}, "ab"), layout({16, 16}, "ba"), std::int8_t>();
    matches_both_ways<layout({24, 40}, "ab"), layout({24, 40}, "ba"), std::int8_t>();
}
TEST_CASE("kernels: two bytes") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nhwc"), bfloat16>();
    matches_both_ways<layout({20, 18, 2, 1}, "oihw"), layout({20, 18, 2, 1}, "OIhw8i16o2i"), float16>();
}
TEST_CASE("kernels: eight bytes") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nChw8c"), double>();
}

}  // namespace test_engine_kernel_kernels_sizes
