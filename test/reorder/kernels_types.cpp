// Kernels that convert, from types of two bytes and more: every ordered pair of types, in the registers of the
// narrower.

#include "kernels_types.hpp"

using namespace kernels;

TEST_CASE("kernels: from f64") { converts_to_every_type<double>(); }
TEST_CASE("kernels: from f32") { converts_to_every_type<float>(); }
TEST_CASE("kernels: from s32") { converts_to_every_type<std::int32_t>(); }
TEST_CASE("kernels: from bf16") { converts_to_every_type<bfloat16>(); }
TEST_CASE("kernels: from f16") { converts_to_every_type<float16>(); }

TEST_CASE("kernels: conversions with padding, and in packed weights") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nChw16c"), float, std::int8_t>();
    matches_both_ways<layout({20, 18, 2, 1}, "oihw"), layout({20, 18, 2, 1}, "OIhw4i16o4i"), float, std::uint8_t>();
    matches_both_ways<layout({20, 18, 3, 3}, "oihw"), layout({20, 18, 3, 3}, "OIhw8i16o2i"), float, float16>();
}
