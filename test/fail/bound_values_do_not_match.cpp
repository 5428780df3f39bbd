// EXPECT: bound_values_do_not_match
// NUMBERS: 1, 2
#include <plait/algebra/bind.hpp>

constexpr plait::layout images({1, 64, plait::dynamic, plait::dynamic}, "nChw16c");

#ifdef FIXED
constexpr plait::layout refused = plait::bind(images, {7, 9});
#else
constexpr plait::layout refused = plait::bind(images, {7});
#endif
