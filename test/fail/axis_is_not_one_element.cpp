// EXPECT: axis_is_not_one_element
// NUMBERS: 0, 2, 2
#include <plait/algebra/broadcast_axis.hpp>

#ifdef FIXED
constexpr plait::layout refused = broadcast_axis(plait::layout({1, 3}, "ab"), 0, 4);
#else
constexpr plait::layout refused = broadcast_axis(plait::layout({2, 3}, "ab"), 0, 4);
#endif
