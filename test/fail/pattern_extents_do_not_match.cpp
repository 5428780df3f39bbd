// EXPECT: pattern_extents_do_not_match
// NUMBERS: 0, 2, 1
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a (b c) -> a b c", 4>(image);
#else
constexpr plait::layout refused = plait::rearrange<"a (b c) -> a b c">(image);
#endif
