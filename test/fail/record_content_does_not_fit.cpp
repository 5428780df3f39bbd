// EXPECT: record_content_does_not_fit
// NUMBERS: 31, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:s32 4n /k =sum(q))");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, sum:u8 4n /k =sum(q))");
#endif
