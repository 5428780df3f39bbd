// GCC: dim_is_negative: the extent of axis 1 is -3, but must be at least 0
// CLANG: &dim_is_negative.axis_and_negative[1][3][0]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 3, 8, 6}, "nchw");
#else
constexpr plait::layout image({2, -3, 8, 6}, "nchw");
#endif
