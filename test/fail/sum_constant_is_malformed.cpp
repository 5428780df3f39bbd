// EXPECT: sum_constant_is_malformed
// NUMBERS: 39, 65535
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:u4 4n k, sum:s32 4n /k =sum(q-8))");
#else
constexpr plait::record_tag refused("nk: N(q:u4 4n k, sum:s32 4n /k =sum(q-z))");
#endif
