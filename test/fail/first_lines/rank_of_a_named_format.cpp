// GCC: rank_differs: 4 axes were given, but 3 are needed
// CLANG: &rank_differs, plait::rejected::no_axis, plait::rejected::numbers<4, 3>

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::nChw16c<2, 64, 7, 7> image;
#else
constexpr plait::nChw16c<2, 64, 7> image;
#endif
