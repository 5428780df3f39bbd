#pragma once
// Declarations of kernels that one unit instantiates and others only call.

#include <plait/plait.hpp>

namespace embedding {

inline constexpr plait::layout plain({2, 17, 5, 4}, "nchw");
inline constexpr plait::layout blocked({2, 17, 5, 4}, "nChw16c");
inline constexpr plait::layout few({5}, "a");  // kernels with attributes take long to compile

}  // namespace embedding

extern template void plait::reorder_kernel<embedding::plain, embedding::blocked, float, float>(const float*,
                                                                                               float*) noexcept;
extern template void plait::attributed_reorder_kernel<embedding::few, embedding::few, float, std::int8_t>(
    const float*, std::int8_t*, const plait::reorder_attributes&) noexcept;
extern template void plait::scaled_reorder_kernel<embedding::few, embedding::few, float, std::int8_t>(
    const float*, std::int8_t*, const plait::tensor_attributes&) noexcept;
extern template void plait::reorder_chunk<embedding::plain, embedding::blocked, float, float>(const float*, float*, int,
                                                                                              int) noexcept;
