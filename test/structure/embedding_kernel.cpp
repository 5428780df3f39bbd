// The unit that has the kernels. The test looks into its object file: there is code of kernels in it.
#include "embedding.hpp"

template void plait::reorder_kernel<embedding::plain, embedding::blocked, float, float>(const float*, float*) noexcept;
template void plait::attributed_reorder_kernel<embedding::few, embedding::few, float, std::int8_t>(
    const float*, std::int8_t*, const plait::reorder_attributes&) noexcept;
template void plait::reorder_chunk<embedding::plain, embedding::blocked, float, float>(const float*, float*, int,
                                                                                       int) noexcept;
