// EXPECT: index_is_outside_domain
// NUMBERS: -1, 12, 12
#include <plait/algebra/compose.hpp>

constexpr plait::layout outer({3, 4}, "ba");

#ifdef FIXED
constexpr plait::layout refused = plait::compose(outer, plait::layout({3}, plait::strides{4}));
#else
constexpr plait::layout refused = plait::compose(outer, plait::layout({4}, plait::strides{4}));
#endif
