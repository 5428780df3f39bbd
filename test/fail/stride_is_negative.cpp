// EXPECT: stride_is_negative
// NUMBERS: 1, -1, 0
#include <plait/algebra/with_strides.hpp>

#ifdef FIXED
constexpr plait::layout refused = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, 1});
#else
constexpr plait::layout refused = plait::with_strides(plait::layout({4, 8}, "ab"), plait::strides{8, -1});
#endif
