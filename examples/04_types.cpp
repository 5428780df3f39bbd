// Layouts as types: operations on constants return constants, and a kernel constrains the formats that it accepts.

#include <plait/plait.hpp>

#include <iostream>

using plait::layout, plait::layout_c, plait::permutation_c;

constexpr auto activations = plait::nChw16c<2, 64, 7, 7>{};
static_assert(activations.value == layout({2, 64, 7, 7}, "nChw16c"));

constexpr auto channels_first = plait::permute_axes(activations, permutation_c<1, 0, 2, 3>);
static_assert(channels_first.value.dims == plait::dims{64, 2, 7, 7});

// A kernel for blocks of 16 channels, and one for all other layouts.
template <plait::layout_type L>
    requires plait::matches<L, "nChw16c">
constexpr int lanes(L) { return 16; }
template <plait::layout_type L>
constexpr int lanes(L) {
    return 1;
}
static_assert(lanes(activations) == 16 && lanes(plait::nchw<2, 64, 7, 7>{}) == 1);

// The extents of batch, height and width are known only at run time; channels and blocks stay in the type.
constexpr auto partly_static = layout_c<layout({plait::dynamic, 64, plait::dynamic, plait::dynamic}, "nChw16c")>;
static_assert(lanes(partly_static) == 16);

int main(int argc, char**) {
    std::cout << "a type of " << sizeof(activations) << " byte: " << activations << '\n';
    std::cout << "axes exchanged, a type too: " << channels_first << '\n';
    std::cout << "lanes of the kernel: " << lanes(activations) << " for blocks, " << lanes(plait::nchw<2, 64, 7, 7>{})
              << " for nchw\n";

    const auto bound = plait::bind(partly_static, argc + 1, 7, 9);
    std::cout << "three extents at run time: " << sizeof(bound) << " bytes, " << static_cast<layout>(bound) << '\n';
    std::cout << "channel 17 begins at " << bound.offset(0, 17, 0, 0) << " = 7 * 9 * 16 + 1\n";
    return bound.offset(0, 17, 0, 0) == 7 * 9 * 16 + 1 ? 0 : 1;
}
