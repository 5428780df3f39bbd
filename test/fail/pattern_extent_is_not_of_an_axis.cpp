// EXPECT: pattern_extent_is_not_of_an_axis
// NUMBERS: 1, 4
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c", {{"b", 4}});
#else
constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c", {{"d", 4}});
#endif
