// EXPECT: layout_is_any
#include <plait/algebra/position_of.hpp>

#ifdef FIXED
constexpr plait::layout chosen_later({2, 3}, "ab");
#else
constexpr plait::layout chosen_later({2, 3}, "any");
#endif
constexpr auto refused = position_of(chosen_later, 4);
