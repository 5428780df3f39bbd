// GCC: rank_differs: the tag, list, pattern or tensor that was given has 4 axes, but what it is for has 3
// CLANG: &rank_differs, plait::rejected::no_axis, plait::rejected::numbers<4, 3>

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::nChw16c<2, 64, 7, 7> image;
#else
constexpr plait::nChw16c<2, 64, 7> image;
#endif
