// Every length of a tail, for elements of four and eight bytes.

#include "tails.hpp"

namespace test_engine_kernel_kernels_tails {

using namespace kernels;

TEST_CASE("tails: four bytes, transposed") { every_length<float, transpose, transpose_back>(4); }
TEST_CASE("tails: four bytes, into blocks and out of them") {
    every_length<float, into_blocks, along_blocks>(4);
    every_length<float, out_of_blocks, along_blocks_back>(4);
}
TEST_CASE("tails: eight bytes, transposed") { every_length<double, transpose, transpose_back>(4); }
TEST_CASE("tails: eight bytes, into blocks and out of them") {
    every_length<double, into_blocks, along_blocks>(4);
    every_length<double, out_of_blocks, along_blocks_back>(4);
}

}  // namespace test_engine_kernel_kernels_tails
