// GCC: stride_is_negative: axis 1 has stride -1
// CLANG: &stride_is_negative.axis_and_negative[1][1][0]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout matrix = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, 1});
#else
constexpr plait::layout matrix = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, -1});
#endif
