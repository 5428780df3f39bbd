// EXPECT: dim_is_negative
// NUMBERS: 1, -3, 0
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 3, 5, 4}, "nchw");
#else
constexpr plait::layout refused({2, -3, 5, 4}, "nchw");
#endif
