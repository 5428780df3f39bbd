// EXPECT: sum_factor_is_not_whole
// NUMBERS: 18, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*5)");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q)*0.5)");
#endif
