// Permuting and renaming axes: the description changes, the data stays where it is.

#include <plait/plait.hpp>

#include <iostream>

using plait::layout, plait::permute_axes, plait::rename_axes;

// Axis i goes to place p[i]. Weights of a deconvolution name their axes the other way round:
constexpr layout iohw({16, 8, 3, 3}, "iohw");  // dims are {O, I, H, W}
constexpr layout swapped = permute_axes(iohw, {1, 0, 2, 3});
static_assert(swapped == layout({8, 16, 3, 3}, "oihw"));

// The element with the same meaning keeps its offset.
static_assert(swapped.offset(5, 11, 2, 1) == iohw.offset(11, 5, 2, 1));

// Renaming says where each axis of the result comes from: the inverse permutation.
static_assert(rename_axes(layout({3, 4, 5}, "abc"), {2, 0, 1}).dims == plait::dims{5, 3, 4});
static_assert(rename_axes(iohw, {1, 0, 2, 3}) == permute_axes(iohw, plait::inverse(plait::permutation{1, 0, 2, 3})));

// Blocks go with their axes.
static_assert(permute_axes(layout({2, 16, 5, 4}, "aBcd8b"), {2, 0, 3, 1}) == layout({16, 4, 2, 5}, "cAdb8a"));

// What is no permutation is refused.
static_assert(plait::check_permute_axes(iohw, {1, 1, 2, 3}).reason == plait::reason::not_a_permutation);

int main() {
    std::cout << "weights " << iohw << ", axes 0 and 1 exchanged: " << swapped << '\n';
    std::cout << "element (5, 11, 2, 1) of the one is (11, 5, 2, 1) of the other, both at "
              << swapped.offset(5, 11, 2, 1) << '\n';

    // The trap. The same numbers, and two meanings: where axis i goes, and which axis is now at place i.
    const layout l({3, 4, 5}, "abc");
    std::cout << "permute_axes of " << l.dims << " by {2, 0, 1}: " << permute_axes(l, {2, 0, 1}).dims << '\n';
    std::cout << "rename_axes  of " << l.dims << " by {2, 0, 1}: " << rename_axes(l, {2, 0, 1}).dims
              << ", as numpy.transpose\n";
    std::cout << plait::check_permute_axes(iohw, {1, 1, 2, 3}) << '\n';
}
