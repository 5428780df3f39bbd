// EXPECT: axis_is_out_of_range
// NUMBERS: -1, 3, 3
#include <plait/algebra/split_axis.hpp>

constexpr plait::layout image({3, 28, 28}, "abc");

#ifdef FIXED
constexpr plait::layout refused = plait::split_axis(image, 2, {7, 4});
#else
constexpr plait::layout refused = plait::split_axis(image, 3, {7, 4});
#endif
