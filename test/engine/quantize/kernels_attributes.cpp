// Kernels with attributes, of activations and weights.

#include "kernels_attributes.hpp"

namespace test_engine_quantize_kernels_attributes {

using namespace kernels;

namespace {

constexpr layout nchw({2, 35, 5, 7}, "nchw"), nhwc({2, 35, 5, 7}, "nhwc"), blocked({2, 35, 5, 7}, "nChw16c");
constexpr layout weights({20, 38, 1, 1}, "oihw"), blocked_weights({20, 38, 1, 1}, "OIhw4i16o4i");

}  // namespace

TEST_CASE("kernels with attributes: f32 -> s8") {
    matches_with_attributes<weights, blocked_weights, float, std::int8_t>();
    matches_with_attributes<nhwc, nchw, float, std::int8_t>();
}
TEST_CASE("kernels with attributes: s8 -> f32, s32 -> f32") {
    matches_with_attributes<nchw, blocked, std::int8_t, float>();
    matches_with_attributes<blocked, nhwc, std::int32_t, float>();
}
TEST_CASE("kernels with attributes: f32 -> f32, bf16") {
    matches_with_attributes<layout({70, 33}, "ab"), layout({70, 33}, "ba"), float, float>();
    matches_with_attributes<layout({6, 70}, "ab"), layout({6, 70}, "ab"), float, bfloat16>();
}
TEST_CASE("kernels with attributes: blocks that do not divide each other") {
    matches_with_attributes<layout({2, 70, 5}, "aBc32b"), layout({2, 70, 5}, "aBc48b"), float, std::int8_t>();
}
TEST_CASE("kernels with attributes: values by index, past the cache") {
    // 24 MB in all, the least size for non-temporal stores: block copies of multiplied elements, and rows from a
    // buffer.
    constexpr layout across({3, 1024, 1024}, "abc"), along({3, 1024, 1024}, "acb");
    constexpr layout bytes({5, 1024, 1024}, "abc"), floats({5, 1024, 1024}, "acb");
    const attribute_values values(across.dims, 4), more_values(bytes.dims, 1);
    with_every_isa<across, along, float, float>({.src_scale = {values.src, 4}});
    with_every_isa<bytes, floats, std::int8_t, float>({.src_scale = {more_values.src, 1}});
}

}  // namespace test_engine_quantize_kernels_attributes
