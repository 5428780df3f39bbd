// EXPECT: zero_extent_is_not_matched
// NUMBERS: 2, 3, 0
#include <plait/algebra/reshape.hpp>

constexpr plait::layout empty({plait::dynamic, 0, 3}, "abc");

#ifdef FIXED
constexpr plait::layout refused = plait::reshape(empty, {plait::dynamic, 0, 1, 3});
#else
constexpr plait::layout refused = plait::reshape(empty, {plait::dynamic, 3, 0});
#endif
