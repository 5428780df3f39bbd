// EXPECT: content_is_no_sum
// NUMBERS: 33, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =min(q))");
#endif
