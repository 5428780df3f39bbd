#include "check.hpp"

int wrong_convolutions() {
    // Clang 14 reads braces in a template argument only behind the name of their type.
    using sizes = convolution_sizes;
    return wrong_kernels<convolution_case<sizes{1, 32, 10, 10, 16, 3, 3}>>("32 channels to 16, 3x3") +
           wrong_kernels<convolution_case<sizes{2, 17, 7, 18, 35, 3, 3}>>("17 channels to 35, 3x3") +
           wrong_kernels<convolution_case<sizes{1, 3, 19, 33, 5, 5, 3, 2}>>("3 channels to 5, 5x3, stride 2") +
           wrong_kernels<convolution_case<sizes{2, 48, 1, 1, 17, 1, 1}>>("48 channels to 17, 1x1 of one pixel",
                                                                         plus_one());
}
