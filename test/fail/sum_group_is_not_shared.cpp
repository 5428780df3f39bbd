// EXPECT: sum_group_is_not_shared
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record refused("nk: (q:u4 n k, s:f32 n K /16k, sum:f32 n /k =sum(q*s;16k))", {4, 96});
#else
constexpr plait::record refused("nk: (q:u4 n k, s:f32 n K /16k, sum:f32 n /k =sum(q*s;32k))", {4, 96});
#endif
