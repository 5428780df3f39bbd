// EXPECT: sum_of_a_difference
// NUMBERS: 21, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:u8 4n k, sum:s32 4n /k =sum(q-32))");
#else
constexpr plait::record_tag refused("nk: N(q:u8-32 4n k, sum:s32 4n /k =sum(q))");
#endif
