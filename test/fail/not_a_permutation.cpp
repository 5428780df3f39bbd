// EXPECT: not_a_permutation
// NUMBERS: 2, 1, 3
#include <plait/algebra/permute_axes.hpp>

constexpr plait::layout image({3, 224, 224}, "abc");

#ifdef FIXED
constexpr plait::layout refused = plait::permute_axes(image, {0, 1, 2});
#else
constexpr plait::layout refused = plait::permute_axes(image, {0, 1, 1});
#endif
