// EXPECT: rank_differs
// NUMBERS: 3, 2
#include <plait/typed/operations.hpp>

constexpr auto rows = plait::layout_c<plait::layout({4, 8}, "ab")>;

#ifdef FIXED
constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<1, 0>);
#else
constexpr auto refused = plait::permute_axes(rows, plait::permutation_c<1, 2, 0>);
#endif
