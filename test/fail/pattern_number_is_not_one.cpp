// EXPECT: pattern_number_is_not_one
// NUMBERS: 6, 4
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);
#else
constexpr plait::layout refused = plait::rearrange<"a (b 4) -> b a">(image);
#endif
