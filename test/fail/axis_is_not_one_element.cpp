// EXPECT: axis_is_not_one_element
// NUMBERS: 0, 2, 2
#include <plait/algebra/broadcast_axis.hpp>

#ifdef FIXED
constexpr plait::layout row({1, 3}, "ab");
#else
constexpr plait::layout row({2, 3}, "ab");
#endif
constexpr auto refused = plait::broadcast_axis(row, 0, 4);
