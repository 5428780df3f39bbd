// EXPECT: tag_blocked_axis_is_not_upper_case
// NUMBERS: 2, 7
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 16, 5, 4}, "nChw16c");
#else
constexpr plait::layout refused({2, 16, 5, 4}, "nchw16c");
#endif
