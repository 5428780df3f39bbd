// GCC: rank_differs: the format tag has 4 axes, but the extents have 3
// CLANG: rank_differs
// CLANG: the::format_tag
// CLANG: the::extents
// CLANG: numbers<4, 3>

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::nChw16c<2, 64, 7, 7> image;
#else
constexpr plait::nChw16c<2, 64, 7> image;
#endif
