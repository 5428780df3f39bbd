// EXPECT: pattern_axis_is_doubled
// NUMBERS: 12, 8
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);
#else
constexpr plait::layout refused = plait::rearrange<"a b -> b a b">(image);
#endif
