// Moving the data: a pair of layouts makes a kernel.

#include <plait/plait.hpp>

#include <numeric>
#include <vector>

using plait::layout;

constexpr layout plain({2, 17, 5, 4}, "nchw");
constexpr layout blocked({2, 17, 5, 4}, "nChw16c");

int main() {
    std::vector<float> in(plain.element_span()), out(blocked.element_span(), -1.0f), back(in.size());
    std::iota(in.begin(), in.end(), 1.0f);

    // Layouts known at compile time. The kernel is chosen by the CPU it runs on; no compile flags are needed.
    plait::reorder<plain, blocked>(in.data(), out.data());
    if (out[static_cast<std::size_t>(blocked.offset(1, 16, 2, 3))] !=
        in[static_cast<std::size_t>(plain.offset(1, 16, 2, 3))])
        return 1;

    // Channel 17 is padding: zero.
    if (out[static_cast<std::size_t>(blocked.padded_offset(1, 17, 2, 3))] != 0) return 2;

    plait::reorder<blocked, plain>(out.data(), back.data());
    if (back != in) return 3;

    // Layouts known at run time; and another type.
    std::vector<plait::bfloat16> half(blocked.element_span());
    plait::reorder(plain, in.data(), blocked, half.data());
    if (half[0].bits != 0x3f80) return 4;

    // The kernel itself, as a function pointer.
    void (*const kernel)(const float*, float*) noexcept = plait::reorder_kernel<plain, blocked, float, float>;
    kernel(in.data(), out.data());
    return 0;
}
