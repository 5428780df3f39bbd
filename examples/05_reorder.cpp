// Moving data: the compiler generates a kernel from a pair of layouts.

#include <plait/plait.hpp>

#include <iostream>
#include <numeric>
#include <vector>

using plait::layout;

constexpr layout plain({2, 17, 5, 4}, "nchw");
constexpr layout blocked({2, 17, 5, 4}, "nChw16c");

// The offset of element (1, 16, 2, 3) in each layout, and the offset of the padding after it: there is no channel 17.
constexpr auto in_plain = static_cast<std::size_t>(plain.offset(1, 16, 2, 3));
constexpr auto in_blocks = static_cast<std::size_t>(blocked.offset(1, 16, 2, 3));
constexpr auto behind = static_cast<std::size_t>(blocked.padded_offset(1, 17, 2, 3));

int main() {
    std::vector<float> in(plain.element_span()), out(blocked.element_span(), -1.0f), back(in.size());
    std::iota(in.begin(), in.end(), 1.0f);

    // With layouts known at compile time. The kernel is chosen at run time for the CPU; no compiler flags are needed.
    const plait::tensor_view image(in.data(), plait::layout_c<plain>);
    const plait::tensor_view packed(out.data(), plait::layout_c<blocked>);
    plait::reorder(image, packed);
    std::cout << in[in_plain] << " was at " << in_plain << ", and " << out[in_blocks] << " is at " << in_blocks << '\n';
    std::cout << "padding behind it: " << out[behind] << '\n';  // it was -1
    if (out[in_blocks] != in[in_plain] || out[behind] != 0) return 1;

    plait::reorder<blocked, plain>(out.data(), back.data());
    std::cout << "and back: " << (back == in ? "the same " : "not the same ") << back.size() << " elements\n";
    if (back != in) return 2;

    // With layouts known at run time, and a conversion to another type.
    std::vector<plait::bfloat16> half(blocked.element_span());
    plait::reorder(plain, in.data(), blocked, half.data());
    std::cout << "as bfloat16: " << static_cast<float>(half[in_blocks]) << ", the nearest to " << in[in_plain] << '\n';
    if (half[0].bits != 0x3f80) return 3;

    // The kernel as a function pointer.
    void (*const kernel)(const float*, float*) noexcept = plait::reorder_kernel<plain, blocked, float, float>;
    kernel(in.data(), out.data());
    return 0;
}
