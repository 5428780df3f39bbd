// Calls the kernels that plait_add_kernels compiled. This unit contains none of their code.
#include "image_kernels.hpp"

#include <vector>

namespace image_kernels {
void pack_all(const float* in, float* out, int count);  // defined in extra.cpp
}

int main() {
    using namespace image_kernels;
    std::vector<float> in(2 * pack_src.element_span()), packed(2 * pack_dst.element_span(), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    pack_all(in.data(), packed.data(), 2);
    // Channel 16 of the second image is the first channel of its second block, followed by padding.
    const std::size_t from = pack_src.element_span() + static_cast<std::size_t>(pack_src.offset(0, 16, 2, 3));
    const std::size_t to = pack_dst.element_span() + static_cast<std::size_t>(pack_dst.offset(0, 16, 2, 3));
    if (packed[to] != in[from] || packed[to + 1] != 0.0f) return 1;

    std::vector<std::uint8_t> pixels(3 * 8 * 8);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i);
    std::vector<float> planes(pixels.size());
    nhwc_1x3x8x8_u8_to_nchw_f32(pixels.data(), planes.data());
    if (planes[64 + 9] != static_cast<float>(9 * 3 + 1)) return 2;  // green of pixel 9

    std::vector<plait::bfloat16> halves(halve_dst.element_span());
    halve(in.data(), halves.data());
    return static_cast<float>(halves[4 * 6 + 3]) == in[3 * 5 + 4] ? 0 : 3;
}
