// The unit that instantiates the kernels. The test checks that its object file contains the code of kernels.
#include "embedding.hpp"

#include <plait/reorder/converted_rows.hpp>

template void plait::reorder_kernel<embedding::plain, embedding::blocked, float, float>(const float*, float*) noexcept;
template void plait::attributed_reorder_kernel<embedding::few, embedding::few, float, std::int8_t>(
    const float*, std::int8_t*, const plait::reorder_attributes&) noexcept;
template void plait::scaled_reorder_kernel<embedding::few, embedding::few, float, std::int8_t>(
    const float*, std::int8_t*, const plait::tensor_attributes&) noexcept;
template void plait::reorder_chunk<embedding::plain, embedding::blocked, float, float>(const float*, float*, int,
                                                                                       int) noexcept;
