#pragma once
// Declares the kernels for the rest of the program. Files that include this compile none of them.

#include <plait/plait.hpp>

inline constexpr plait::layout image({1, 64, 56, 56}, "nchw");
inline constexpr plait::layout blocked_image({1, 64, 56, 56}, "nChw16c");

extern template void plait::reorder_kernel<image, blocked_image, float, float>(const float*, float*) noexcept;
extern template void plait::reorder_kernel<blocked_image, image, float, float>(const float*, float*) noexcept;
