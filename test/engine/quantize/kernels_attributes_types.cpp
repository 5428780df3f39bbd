// Kernels with attributes, of more types and of few channels.

#include "kernels_attributes.hpp"

namespace test_engine_quantize_kernels_attributes_types {

using namespace kernels;

TEST_CASE("kernels with attributes: interleaved elements") {
    matches_with_attributes<layout({2, 3, 5, 15}, "nhwc"), layout({2, 3, 5, 15}, "nchw"), std::uint8_t, float>();
}
TEST_CASE("kernels with attributes: padding in every tile") {
    matches_with_attributes<layout({2, 3, 4, 9}, "nchw"), layout({2, 3, 4, 9}, "nChw16c"), float, float>();
}
TEST_CASE("kernels with attributes: f64 -> f32, u8 -> s8, and few channels") {
    matches_with_attributes<layout({3, 20, 9}, "abc"), layout({3, 20, 9}, "acb"), double, float>();
    matches_with_attributes<layout({2, 3, 4, 9}, "nhwc"), layout({2, 3, 4, 9}, "nChw8c"), std::uint8_t, std::int8_t>();
}

}  // namespace test_engine_quantize_kernels_attributes_types
