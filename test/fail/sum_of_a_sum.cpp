// EXPECT: sum_of_a_sum
// NUMBERS: 18, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(sum))");
#endif
