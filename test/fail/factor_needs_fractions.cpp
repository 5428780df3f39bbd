// EXPECT: factor_needs_fractions
// NUMBERS: 10, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:f16*2 nk");
#else
constexpr plait::record_tag refused("nk: w:u4*2 nk");
#endif
