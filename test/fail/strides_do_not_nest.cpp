// EXPECT: strides_do_not_nest
// NUMBERS: 0, 7, 8
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout refused({4, 8}, plait::strides{7, 1});
#endif
