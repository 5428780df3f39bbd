// EXPECT: sum_factor_is_malformed
// NUMBERS: 40, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*2)");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*)");
#endif
