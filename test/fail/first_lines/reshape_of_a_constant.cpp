// GCC: volumes_differ: 2352 elements cannot become 2350
// CLANG: &volumes_differ, plait::rejected::no_axis, plait::rejected::numbers<2352, 2350>

#include <plait/plait.hpp>

#ifdef FIXED
constexpr auto row = plait::reshape(plait::abc<3, 28, 28>(), plait::dims_c<2352>);
#else
constexpr auto row = plait::reshape(plait::abc<3, 28, 28>(), plait::dims_c<2350>);
#endif
