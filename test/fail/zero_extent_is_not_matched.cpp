// EXPECT: zero_extent_is_not_matched
// NUMBERS: 1, 4, 0
#include <plait/algebra/reshape.hpp>

constexpr plait::layout empty({0, 4}, "ab");

#ifdef FIXED
constexpr plait::layout refused = reshape(empty, {0, 2, 2});
#else
constexpr plait::layout refused = reshape(empty, {4, 0});
#endif
