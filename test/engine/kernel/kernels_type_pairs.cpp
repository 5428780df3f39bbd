// Kernels that convert, from types of two bytes and more: every ordered pair of types, in the registers of the
// narrower.

#include "type_pairs.hpp"

namespace test_engine_kernel_kernels_type_pairs {

using namespace kernels;

TEST_CASE("kernels: from f64") { converts_to_every_type<double>(); }
TEST_CASE("kernels: from f32") { converts_to_every_type<float>(); }
TEST_CASE("kernels: from s32") { converts_to_every_type<std::int32_t>(); }
TEST_CASE("kernels: from bf16") { converts_to_every_type<bfloat16>(); }
TEST_CASE("kernels: from f16") { converts_to_every_type<float16>(); }

}  // namespace test_engine_kernel_kernels_type_pairs
