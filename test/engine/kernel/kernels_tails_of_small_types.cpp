// Every length of a tail, for elements of one and two bytes.

#include "tails.hpp"

namespace test_engine_kernel_kernels_tails_of_small_types {

using namespace kernels;

TEST_CASE("tails: one byte, transposed") { every_length<std::uint8_t, transpose, transpose_back>(4); }
TEST_CASE("tails: one byte, into blocks and out of them") {
    every_length<std::uint8_t, into_blocks, along_blocks>(4);
    every_length<std::uint8_t, out_of_blocks, along_blocks_back>(4);
}
TEST_CASE("tails: two bytes, transposed") { every_length<bfloat16, transpose, transpose_back>(4); }
TEST_CASE("tails: two bytes, into blocks and out of them") {
    every_length<bfloat16, into_blocks, along_blocks>(3);  // 16 bytes: no interleave, too many of its tiles end
    every_length<bfloat16, out_of_blocks, along_blocks_back>(4);
}

}  // namespace test_engine_kernel_kernels_tails_of_small_types
