#pragma once
// What the rest of a program sees of its kernels: which there are. No file that includes this compiles one.

#include <plait/plait.hpp>

inline constexpr plait::layout image({1, 64, 56, 56}, "nchw");
inline constexpr plait::layout blocked_image({1, 64, 56, 56}, "nChw16c");

extern template void plait::reorder_kernel<image, blocked_image, float, float>(const float*, float*) noexcept;
extern template void plait::reorder_kernel<blocked_image, image, float, float>(const float*, float*) noexcept;
