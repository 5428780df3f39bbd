// EXPECT: pattern_extent_is_missing
// NUMBERS: 3, 2
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c", {{"b", 4}});
#else
constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c");
#endif
