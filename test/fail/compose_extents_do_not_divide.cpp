// EXPECT: extents_do_not_divide
// NUMBERS: 0, 3, 4, 2
#include <plait/algebra/compose.hpp>

// CuTe composes these layouts, but five of the six offsets are wrong, because steps of 3 do not divide the digits of 4.
constexpr plait::layout outer({8, 6, 4}, plait::strides{60, 9, 2});

#ifdef FIXED
constexpr plait::layout refused = plait::compose(outer, plait::layout({6}, plait::strides{2}));
#else
constexpr plait::layout refused = plait::compose(outer, plait::layout({6}, plait::strides{3}));
#endif
