// GCC: axis_is_out_of_range: there is no axis 4 in a layout of 4 axes
// CLANG: &axis_is_out_of_range.numbers[4][4]

#include <plait/plait.hpp>

constexpr plait::layout image({2, 3, 8, 6}, "nchw");
#ifdef FIXED
constexpr plait::layout channel = plait::slice(image, 3, 0);
#else
constexpr plait::layout channel = plait::slice(image, 4, 0);
#endif
