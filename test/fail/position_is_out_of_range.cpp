// EXPECT: position_is_out_of_range
// NUMBERS: 1, 17, 17
#include <plait/core/layout.hpp>

constexpr plait::layout blocked({2, 17, 5, 4}, "nChw8c");

#ifdef FIXED
constexpr plait::dim_t refused = blocked.offset(1, 16, 2, 3);
#else
constexpr plait::dim_t refused = blocked.offset(1, 17, 2, 3);
#endif
