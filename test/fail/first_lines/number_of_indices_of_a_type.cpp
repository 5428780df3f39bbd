// GCC: rank_differs: there are indices for 3 axes, but the layout has 4
// CLANG: rank_differs
// CLANG: the::index
// CLANG: the::layout
// CLANG: numbers<3, 4>
// ERRORS: any

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::dim_t place = plait::nchw<2, 3, 8, 6>::offset(1, 2, 7, 3);
#else
constexpr plait::dim_t place = plait::nchw<2, 3, 8, 6>::offset(1, 2, 7);
#endif
