// EXPECT: tag_upper_case_axis_has_no_block
// NUMBERS: 2, 0
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 16, 5, 4}, "nChw8c");
#else
constexpr plait::layout refused({2, 16, 5, 4}, "nChw");
#endif
