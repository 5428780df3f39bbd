// A source file of the user in the library of kernels.
#include "image_kernels.hpp"

namespace image_kernels {
void pack_all(const float* in, float* out, int count) {
    for (int i = 0; i < count; ++i)
        pack(in + pack_src.element_span() * static_cast<std::size_t>(i),
             out + pack_dst.element_span() * static_cast<std::size_t>(i));
}
}  // namespace image_kernels
