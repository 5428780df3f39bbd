// EXPECT: record_is_malformed
// NUMBERS: 12, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: (w:u4 nk, x:u4 nk)");
#else
constexpr plait::record_tag refused("nk: w:u4 nk, x:u4 nk");
#endif
