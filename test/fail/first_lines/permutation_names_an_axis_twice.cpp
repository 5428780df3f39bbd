// GCC: not_a_permutation: entry 2 of the permutation is 2, but each number below 3 must occur exactly once
// CLANG: &not_a_permutation.axis_and_numbers[2][2][3]

#include <plait/plait.hpp>

constexpr plait::layout image({3, 224, 224}, "abc");
#ifdef FIXED
constexpr plait::layout turned = plait::permute_axes(image, {2, 0, 1});
#else
constexpr plait::layout turned = plait::permute_axes(image, {2, 0, 2});
#endif
