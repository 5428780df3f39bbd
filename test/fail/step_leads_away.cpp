// EXPECT: step_leads_away
// NUMBERS: 1, 2, 6, 0
#include <plait/algebra/strided_slice.hpp>

#ifdef FIXED
constexpr plait::dim_t begin = 0, end = 6;
#else
constexpr plait::dim_t begin = 6, end = 0;
#endif
constexpr auto refused = plait::strided_slice(plait::layout({2, 32, 3}, "aBc16b"), 1, begin, end, 2);
