// EXPECT: sum_is_not_closed
// NUMBERS: 38, 0, 1
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q,))");
#endif
