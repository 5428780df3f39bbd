// EXPECT: rank_differs
// NUMBERS: 4, 3
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 17, 5}, "nCw16c");
#else
constexpr plait::layout refused({2, 17, 5}, "nChw16c");
#endif
