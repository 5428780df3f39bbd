// EXPECT: tag_axis_is_missing
// NUMBERS: 4, 99
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 3, 4, 5}, "abdc");
#else
constexpr plait::layout refused({2, 3, 4, 5}, "abd");
#endif
