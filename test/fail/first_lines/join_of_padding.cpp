// GCC: axis_is_
// CLANG: &axis_is_

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout joined = plait::join_axes(plait::layout({1, 17, 8, 6}, "nchw"), 1, 2);
#else
constexpr plait::layout joined = plait::join_axes(plait::layout({1, 17, 8, 6}, "nChw16c"), 1, 2);
#endif
