// Kernels that convert, from types of one byte: each to every type.

#include "type_pairs.hpp"

namespace test_engine_kernel_kernels_type_pairs_of_one_byte {

using namespace kernels;

TEST_CASE("kernels: from f8_e5m2") { converts_to_every_type<float8_e5m2>(); }
TEST_CASE("kernels: from f8_e4m3") { converts_to_every_type<float8_e4m3>(); }
TEST_CASE("kernels: from s8") { converts_to_every_type<std::int8_t>(); }
TEST_CASE("kernels: from u8") { converts_to_every_type<std::uint8_t>(); }

}  // namespace test_engine_kernel_kernels_type_pairs_of_one_byte
