// EXPECT: tag_axis_is_doubled
// NUMBERS: 4, 2
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 3, 4, 5}, "nchw");
#else
constexpr plait::layout refused({2, 3, 4, 5}, "nchc");
#endif
