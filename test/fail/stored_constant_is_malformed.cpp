// EXPECT: stored_constant_is_malformed
// NUMBERS: 10, 15
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:u4-15 nk");
#else
constexpr plait::record_tag refused("nk: w:u4-16 nk");
#endif
