// EXPECT: layout_is_not_dense
// NUMBERS: 0, 3, 5
#include <plait/algebra/inverse.hpp>

#ifdef FIXED
constexpr plait::layout refused = plait::inverse(plait::layout({2, 3}, plait::strides{3, 1}));
#else
constexpr plait::layout refused = plait::inverse(plait::layout({2, 3}, plait::strides{5, 1}));
#endif
