// EXPECT: pattern_is_too_long
// NUMBERS: 270, 255
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);
#else
constexpr plait::layout refused = plait::rearrange<
    "a b -> b a                                                                                                        "
    "                                                                                                                  "
    "                                          ">(image);
#endif
