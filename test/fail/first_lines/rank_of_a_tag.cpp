// GCC: rejected::rank_differs
// CLANG: 'rank_differs' cannot be used

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");
#else
constexpr plait::layout image({2, 17, 5}, "nChw16c");
#endif
