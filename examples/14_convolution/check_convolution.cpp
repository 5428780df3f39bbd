#include "check.hpp"

#include <plait/algebra/submemory.hpp>

// True if the convolution accepts these extents in these blocks; it rejects a part of a block.
template <class X, dim_t Stride = 1>
constexpr bool taken = kernels::blocked_convolution<X, plait::OIhw16i16o<5, 17, 3, 3>, plait::format<"A16a", 5>,
                                                    plait::nChw16c<1, 5, 4, 4>, Stride>;
using half_a_block =
    plait::layout_constant<plait::submemory(plait::nChw16c<1, 32, 6, 6>::value, {1, 8, 6, 6}, {0, 8, 0, 0})>;
static_assert(taken<plait::nChw16c<1, 17, 6, 6>> && taken<plait::nChw16c<1, 17, 9, 10>, 2>);
static_assert(!taken<plait::nchw<1, 17, 6, 6>> && !taken<plait::nChw16c<1, 16, 6, 6>>);
static_assert(!taken<plait::nChw16c<1, 17, 7, 6>> && !taken<plait::nChw16c<1, 17, 6, 6>, 2>);
static_assert(plait::matches<half_a_block, "nChw16c"> && !kernels::in_blocks<half_a_block, "nChw16c">);
constexpr plait::layout behind_padding() {
    plait::layout l = plait::nChw16c<1, 17, 6, 6>::value;
    l.padded_offsets[1] = 3;
    return l;
}
static_assert(!kernels::in_blocks<plait::layout_constant<behind_padding()>, "nChw16c">);
static_assert(kernels::relu()(-2) == 0 && kernels::relu()(2) == 2);

int wrong_convolutions() {
    // Clang 14 parses braces in a template argument only after the name of their type.
    using sizes = convolution_sizes;
    return wrong_kernels<convolution_case<sizes{1, 32, 10, 10, 16, 3, 3}>>("32 channels to 16, 3x3") +
           wrong_kernels<convolution_case<sizes{2, 17, 7, 18, 35, 3, 3}>>("17 channels to 35, 3x3") +
           wrong_kernels<convolution_case<sizes{1, 3, 19, 33, 5, 5, 3, 2}>>("3 channels to 5, 5x3, stride 2") +
           wrong_kernels<convolution_case<sizes{2, 48, 1, 1, 17, 1, 1}>>("48 channels to 17, 1x1 of one pixel",
                                                                         plus_one());
}
