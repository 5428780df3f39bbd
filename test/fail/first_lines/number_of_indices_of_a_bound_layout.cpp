// GCC: rank_differs: there are indices for 3 axes, but the layout has 4
// CLANG: &rank_differs.numbers[3][4]

#include <plait/plait.hpp>

constexpr auto images = plait::bind(plait::nchw<plait::dynamic, 3, 8, 6>(), 2);
#ifdef FIXED
constexpr plait::dim_t place = images.offset(1, 2, 7, 3);
#else
constexpr plait::dim_t place = images.offset(1, 2, 7);
#endif
