// EXPECT: contents_differ
// NUMBERS: 46, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n k, s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k =sum(q))");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n k, s:s32 2n@2=0 2n /k =sum(q), s:s32 2n@2=1 2n /k)");
#endif
