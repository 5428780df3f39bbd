// GCC: bound_values_do_not_match: 2 values were bound, but the layout has 1 dynamic extents
// CLANG: &bound_values_do_not_match.numbers[2][1]

#include <plait/plait.hpp>

constexpr plait::layout images({plait::dynamic, 3, 8, 6}, "nchw");
#ifdef FIXED
constexpr plait::layout two = plait::bind(images, {2});
#else
constexpr plait::layout two = plait::bind(images, {2, 3});
#endif
