// EXPECT: ragged_loop_is_not_outermost
// NUMBERS: 15, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record refused("kn: w:f16 KN <512k 16n", {600, 20});
#else
constexpr plait::record refused("kn: w:f16 NK <512k 16n", {600, 20});
#endif
