// GCC: rank_differs: 3 axes were given, but 4 are needed
// CLANG: &rank_differs, plait::rejected::no_axis, plait::rejected::numbers<3, 4>
// ERRORS: any

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::dim_t place = plait::nchw<2, 3, 8, 6>::offset(1, 2, 7, 3);
#else
constexpr plait::dim_t place = plait::nchw<2, 3, 8, 6>::offset(1, 2, 7);
#endif
