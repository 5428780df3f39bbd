// EXPECT: part_cuts_a_block
// NUMBERS: 1, 17, 16
#include <plait/algebra/submemory.hpp>

#ifdef FIXED
constexpr plait::dims extents{2, 16, 3};
#else
constexpr plait::dims extents{2, 17, 3};
#endif
constexpr auto refused = plait::submemory(plait::layout({2, 32, 3}, "aBc16b"), extents, {0, 0, 0});
