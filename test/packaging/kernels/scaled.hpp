#pragma once
#include "image_kernels.hpp"

namespace image_kernels {
void quantise(const float* in, std::int8_t* out);  // pack, divided by 2
}
