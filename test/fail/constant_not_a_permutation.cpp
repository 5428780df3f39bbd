// EXPECT: not_a_permutation
// NUMBERS: 1, 0, 2
#include <plait/typed/operations.hpp>

constexpr auto rows = plait::layout_c<plait::layout({4, 8}, "ab")>;

#ifdef FIXED
constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<1, 0>);
#else
constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<0, 0>);
#endif
