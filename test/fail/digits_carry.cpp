// EXPECT: digits_carry
// NUMBERS: 1, 6, 6
#include <plait/algebra/compose.hpp>

constexpr plait::layout outer({4, 6}, plait::strides{10, 1});

// The offsets 4 and 2 each stay within the 6 elements of a row, but their sum does not.
#ifdef FIXED
constexpr plait::layout refused = plait::compose(outer, plait::layout({2, 2}, plait::strides{3, 1}));
#else
constexpr plait::layout refused = plait::compose(outer, plait::layout({2, 2}, plait::strides{4, 2}));
#endif
