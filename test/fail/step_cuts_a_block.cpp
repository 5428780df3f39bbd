// EXPECT: step_cuts_a_block
// NUMBERS: 1, 3, 0, 16
#include <plait/algebra/strided_slice.hpp>

#ifdef FIXED
constexpr plait::dim_t step = 2;
#else
constexpr plait::dim_t step = 3;
#endif
constexpr auto refused = plait::strided_slice(plait::layout({2, 96, 3}, "aBc16b"), 1, 0, 96, step);
