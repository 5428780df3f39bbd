// EXPECT: pattern_has_too_many_axes
// NUMBERS: 25, 13, 12
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);
#else
constexpr plait::layout refused = plait::rearrange<"a b c d e f g h i j k l m -> a">(image);
#endif
