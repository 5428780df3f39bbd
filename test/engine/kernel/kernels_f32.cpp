// f32, plain and blocked by 8 and 16: whole tiles, tails of both kinds, and padding.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_f32 {

using namespace kernels;

namespace {

template <dim_t N, dim_t C, dim_t H, dim_t W>
void plain_and_blocked() {
    constexpr layout plain({N, C, H, W}, "nchw");
    matches_both_ways<plain, layout({N, C, H, W}, "nChw16c")>();
    matches_both_ways<plain, layout({N, C, H, W}, "nChw8c")>();
}

}  // namespace

TEST_CASE("kernels: whole tiles") { plain_and_blocked<2, 32, 4, 16>(); }
TEST_CASE("kernels: a tail in the channels") { plain_and_blocked<1, 17, 4, 8>(); }
TEST_CASE("kernels: a tail in the places") { plain_and_blocked<2, 16, 7, 7>(); }
TEST_CASE("kernels: tails in both, less than one vector") { plain_and_blocked<3, 5, 1, 3>(); }
TEST_CASE("kernels: nhwc, which is copied by lanes") {
    matches_both_ways<layout({2, 19, 3, 3}, "nhwc"), layout({2, 19, 3, 3}, "nChw16c")>();
}
TEST_CASE("kernels: transposes with tails") {
    matches_both_ways<layout({2, 19, 5, 7}, "nchw"), layout({2, 19, 5, 7}, "nhwc")>();
}
TEST_CASE("kernels: weights") {
    matches_both_ways<layout({20, 18, 3, 1}, "oihw"), layout({20, 18, 3, 1}, "OIhw16i16o")>();
}
TEST_CASE("kernels: blocked to blocked") {
    matches_both_ways<layout({2, 24, 3, 3}, "nChw8c"), layout({2, 24, 3, 3}, "nChw16c")>();
}
TEST_CASE("kernels: blocks that end within a vector") {
    matches_both_ways<layout({2, 39, 3}, "abc"), layout({2, 39, 3}, "aBc24b")>();
}
TEST_CASE("kernels: views and gaps") {
    constexpr layout part = [] {
        layout l({2, 5, 6}, "aBc8b");  // channels 2 to 6 of one block
        l.padded_dims = l.dims;
        l.offset0 = 2;
        return l;
    }();
    static_assert(check_layout(part).ok());
    matches_both_ways<layout({2, 5, 6}, "abc"), part>();
    matches_both_ways<layout({5, 20}, strides{30, 1}), layout({5, 20}, strides{1, 7})>();
    matches_with_every_isa<layout({20, 18}, strides{0, 1}), layout({20, 18}, "ba")>();
}

}  // namespace test_engine_kernel_kernels_f32
