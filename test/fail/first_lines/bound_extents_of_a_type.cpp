// GCC: bound_values_do_not_match: 2 values were bound, but the layout has 1 dynamic extents
// CLANG: &bound_values_do_not_match, plait::rejected::no_axis, plait::rejected::numbers<2, 1>
// ERRORS: any

#include <plait/plait.hpp>

#ifdef FIXED
auto two = plait::bind(plait::nchw<plait::dynamic, 3, 8, 6>(), 2);
#else
auto two = plait::bind(plait::nchw<plait::dynamic, 3, 8, 6>(), 2, 3);
#endif
