// EXPECT: stride_is_negative
// NUMBERS: 1, -1, 0
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout refused({4, 8}, plait::strides{8, -1});
#endif
