// EXPECT: rank_differs
// NUMBERS: 4, 3
#include <plait/typed/formats.hpp>

#ifdef FIXED
constexpr auto refused = plait::nChw16c<2, 17, 5, 4>{};
#else
constexpr auto refused = plait::nChw16c<2, 17, 5>{};
#endif
