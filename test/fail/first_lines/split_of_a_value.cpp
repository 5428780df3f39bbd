// GCC: volumes_differ: 8 elements cannot become 6
// CLANG: &volumes_differ.axis_and_numbers[2][8][6]

#include <plait/plait.hpp>

constexpr plait::layout image({2, 3, 8, 6}, "nchw");
#ifdef FIXED
constexpr plait::layout split = plait::split_axis(image, 2, {2, 4});
#else
constexpr plait::layout split = plait::split_axis(image, 2, {2, 3});
#endif
