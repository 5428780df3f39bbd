// EXPECT: too_many_axes
// NUMBERS: 13, 12
#include <plait/core/dims.hpp>

#ifdef FIXED
constexpr plait::dims refused{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
#else
constexpr plait::dims refused{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
#endif
