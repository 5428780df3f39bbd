// EXPECT: strides_do_not_nest
// NUMBERS: 0, 7, 8
#include <plait/algebra/position_of.hpp>

#ifdef FIXED
constexpr plait::layout rows({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout rows({4, 8}, plait::strides{7, 1});
#endif
constexpr auto refused = position_of(rows, 9);
