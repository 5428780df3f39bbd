// EXPECT: axis_is_blocked
// NUMBERS: 1, 16, 32
#include <plait/algebra/flatten.hpp>

constexpr plait::layout image({2, 32, 5, 4}, "nChw16c");

#ifdef FIXED
constexpr plait::layout refused = plait::flatten(image, 2);
#else
constexpr plait::layout refused = plait::flatten(image, 1);
#endif
