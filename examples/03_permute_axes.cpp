// Permuting and renaming axes: the layout changes, the data is not moved.

#include <plait/plait.hpp>

#include <iostream>

using plait::layout, plait::permute_axes, plait::rename_axes;

// permute_axes moves axis i to place p[i]. In the weights of a deconvolution, axes O and I are exchanged:
constexpr layout iohw({16, 8, 3, 3}, "iohw");  // dims are {O, I, H, W}
constexpr layout swapped = permute_axes(iohw, {1, 0, 2, 3});
static_assert(swapped == layout({8, 16, 3, 3}, "oihw"));

// An element keeps its offset; only the order of its indices changes.
static_assert(swapped.offset(5, 11, 2, 1) == iohw.offset(11, 5, 2, 1));

// rename_axes takes the inverse permutation: axis i of the result is axis p[i] of the source.
static_assert(rename_axes(layout({3, 4, 5}, "abc"), {2, 0, 1}).dims == plait::dims{5, 3, 4});
static_assert(rename_axes(iohw, {1, 0, 2, 3}) == permute_axes(iohw, plait::inverse(plait::permutation{1, 0, 2, 3})));

// The blocks of an axis move with it.
static_assert(permute_axes(layout({2, 16, 5, 4}, "aBcd8b"), {2, 0, 3, 1}) == layout({16, 4, 2, 5}, "cAdb8a"));

// A list that is not a permutation is rejected.
static_assert(plait::check_permute_axes(iohw, {1, 1, 2, 3}).reason == plait::reason::not_a_permutation);

int main() {
    std::cout << "weights " << iohw << ", axes 0 and 1 exchanged: " << swapped << '\n';
    std::cout << "element (5, 11, 2, 1) of the one is (11, 5, 2, 1) of the other, both at "
              << swapped.offset(5, 11, 2, 1) << '\n';

    // A trap: the same numbers have two meanings. For permute_axes p[i] is the new place of axis i; for rename_axes it
    // is the axis that is now at place i.
    const layout l({3, 4, 5}, "abc");
    std::cout << "permute_axes of " << l.dims << " by {2, 0, 1}: " << permute_axes(l, {2, 0, 1}).dims << '\n';
    std::cout << "rename_axes  of " << l.dims << " by {2, 0, 1}: " << rename_axes(l, {2, 0, 1}).dims
              << ", as numpy.transpose\n";
    std::cout << plait::check_permute_axes(iohw, {1, 1, 2, 3}) << '\n';
}
