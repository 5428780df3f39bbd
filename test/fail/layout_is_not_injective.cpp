// EXPECT: layout_is_not_injective
// NUMBERS: 0, 4, 0
#include <plait/algebra/position_of.hpp>

#ifdef FIXED
constexpr plait::layout repeated({4, 3}, plait::strides{3, 1});
#else
constexpr plait::layout repeated({4, 3}, plait::strides{0, 1});
#endif
constexpr auto refused = position_of(repeated, 2);
