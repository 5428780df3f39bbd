// EXPECT: unit_axis_is_padded
// NUMBERS: 1, 4, 4
#include <plait/algebra/reshape.hpp>

constexpr plait::layout image({2, 1, 3}, "aBc4b");

#ifdef FIXED
constexpr plait::layout refused = plait::reshape(image, {1, 2, 1, 3});
#else
constexpr plait::layout refused = plait::reshape(image, {2, 3});
#endif
