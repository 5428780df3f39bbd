// GCC: rejected::strides_do_not_nest
// CLANG: 'strides_do_not_nest' cannot be used

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout matrix({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout matrix({4, 8}, plait::strides{7, 1});
#endif
