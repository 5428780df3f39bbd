// EXPECT: sum_has_no_order
// NUMBERS: 21, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(q:s8 4n K 4k, sum:f32 4n /k =sum(q;4k))");
#else
constexpr plait::record_tag refused("nk: N(q:s8 4n K 4k, sum:f32 4n /k =sum(q))");
#endif
