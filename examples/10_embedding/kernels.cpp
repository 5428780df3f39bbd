// The only file that compiles the kernels.

#include "kernels.hpp"

template void plait::reorder_kernel<image, blocked_image, float, float>(const float*, float*) noexcept;
template void plait::reorder_kernel<blocked_image, image, float, float>(const float*, float*) noexcept;
