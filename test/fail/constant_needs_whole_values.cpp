// EXPECT: constant_needs_whole_values
// NUMBERS: 15, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: (s:u6-32 nk, w:u2 nk)");
#else
constexpr plait::record_tag refused("nk: (s:u4 nk, s.4:u2-3 nk)");
#endif
