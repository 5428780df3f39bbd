// Kernels that convert, from types of one byte.

#include "kernels_types.hpp"

using namespace kernels;

TEST_CASE("kernels: from f8_e5m2") { converts_to_every_type<float8_e5m2>(); }
TEST_CASE("kernels: from f8_e4m3") { converts_to_every_type<float8_e4m3>(); }
TEST_CASE("kernels: from s8") { converts_to_every_type<std::int8_t>(); }
TEST_CASE("kernels: from u8") { converts_to_every_type<std::uint8_t>(); }

TEST_CASE("kernels: eight bytes and one, between blocks") {
    matches_both_ways<layout({1, 35, 3, 7}, "nchw"), layout({1, 35, 3, 7}, "nChw8c"), double, float8_e5m2>();
    matches_both_ways<layout({2, 39, 3}, "aBc8b"), layout({2, 39, 3}, "aBc16b"), float8_e4m3, float>();
}
