// More kernels for a GPU that use views: block sizes that are not a power of two, blocks of two axes, blocks as spans,
// and permutations.
#include <plait/layouts.hpp>

using by_twelve = plait::layout_constant<plait::layout({2, 30, 7, 5}, "aBcd12b")>;
using twice = plait::OIhw16i16o<64, 32, 3, 3>;
using rows = plait::nChw8c<2, 20, 6, 6>;

__global__ void sum_of_blocks(const float* in, float* out) {
    const plait::tensor_view<const float, by_twelve> from(plait::unchecked, in);
    const int n = blockIdx.x, h = threadIdx.y, w = threadIdx.x;
    float sum = 0;
    for (int c = 0; c < 30; ++c) sum += from(n, c, h, w);
    out[(n * 7 + h) * 5 + w] = sum;
}

__global__ void pack(const float* in, float* out) {
    const plait::tensor_view<const float, plait::oihw<64, 32, 3, 3>> from(plait::unchecked, in);
    const plait::tensor_view<float, twice> to(plait::unchecked, out);
    const int o = blockIdx.x, i = threadIdx.x;
    for (int h = 0; h < 3; ++h)
        for (int w = 0; w < 3; ++w) to(o, i, h, w) = from(o, i, h, w);
}

__global__ void clear_block(float* data) {
    const plait::tensor_view<float, rows> v(plait::unchecked, data);
    for (float& x : v.block(blockIdx.x, blockIdx.y, threadIdx.y, threadIdx.x)) x = 0;
}

__global__ void permuted(const float* in, float* out) {
    const plait::tensor_view<const float, rows> stored(plait::unchecked, in);
    constexpr auto permute_axes = plait::permute_axes;
    constexpr auto order = plait::permutation_c<0, 3, 1, 2>;
    const auto nhwc = permute_axes(stored, order);
    const int h = blockIdx.x, w = threadIdx.x;
    for (int c = 0; c < 20; ++c) out[(h * 6 + w) * 20 + c] = nhwc(1, h, w, c);
}
