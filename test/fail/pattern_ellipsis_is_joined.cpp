// EXPECT: pattern_ellipsis_is_joined
// NUMBERS: 4, 0
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a ... -> (a ...)">(image);
#else
constexpr plait::layout refused = plait::rearrange<"(a ...) -> a ...">(image);
#endif
