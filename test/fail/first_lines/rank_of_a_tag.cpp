// GCC: rank_differs: the format tag has 4 axes, but the extents have 3
// CLANG: &rank_differs.numbers[4][3]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");
#else
constexpr plait::layout image({2, 17, 5}, "nChw16c");
#endif
