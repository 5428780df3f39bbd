// Calls the kernels that plait_add_kernels has compiled, and has none of their code.
#include "image_kernels.hpp"
#include "scaled.hpp"

#include <vector>

int main() {
    using namespace image_kernels;
    std::vector<float> in(pack_src.element_span()), packed(pack_dst.element_span(), -1.0f), back(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 100);
    pack(in.data(), packed.data());
    // Channel 16 is the first of the second block, and behind it is padding.
    const auto at = static_cast<std::size_t>(pack_dst.offset(0, 16, 2, 3));
    if (packed[at] != in[static_cast<std::size_t>(pack_src.offset(0, 16, 2, 3))] || packed[at + 1] != 0.0f) return 1;
    unpack(packed.data(), back.data());
    if (back != in) return 2;

    std::vector<std::int8_t> quantised(packed.size());
    quantise(in.data(), quantised.data());
    if (quantised[at] != static_cast<std::int8_t>(packed[at] / 2)) return 3;

    std::vector<std::uint8_t> pixels(3 * 8 * 8);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i);
    std::vector<float> planes(pixels.size());
    nhwc_1x3x8x8_u8_to_nchw_f32(pixels.data(), planes.data());
    if (planes[64 + 9] != static_cast<float>(9 * 3 + 1)) return 4;  // green of pixel 9

    std::vector<plait::bfloat16> halves(halve_dst.element_span());
    halve(in.data(), halves.data());
    return static_cast<float>(halves[4 * 6 + 3]) == in[3 * 5 + 4] ? 0 : 5;
}
