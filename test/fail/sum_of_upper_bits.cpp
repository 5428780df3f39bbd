// EXPECT: sum_of_upper_bits
// NUMBERS: 31, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:u4 4n k, q.4:u4 4n k, sum:s32 4n /k =sum(q))");
#else
constexpr plait::record_tag refused("nk: N(q.4:u4 4n k, q:u4 4n k, sum:s32 4n /k =sum(q))");
#endif
