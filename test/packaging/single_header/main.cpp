// A program that includes plait as a single header.
#include "plait_single.hpp"

#include <cstdio>
#include <vector>

constexpr plait::layout plain({1, 17, 5, 4}, "nchw"), blocked({1, 17, 5, 4}, "nChw16c");

int main() {
    std::vector<float> in(plain.element_span()), out(blocked.element_span(), -1.0f);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    plait::reorder<plain, blocked>(in.data(), out.data());
    const plait::tensor_view from(in.data(), plait::layout_c<plain>);
    const plait::tensor_view to(out.data(), plait::layout_c<blocked>);
    // Channel 16 is the first channel of the second block, followed by padding.
    const bool moved = to(0, 16, 2, 3) == from(0, 16, 2, 3) && out[blocked.padded_offset(0, 17, 2, 3)] == 0.0f;
    std::puts(moved ? "moved" : "not moved");
    return moved ? 0 : 1;
}
