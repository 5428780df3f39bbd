// EXPECT: record_type_is_unknown
// NUMBERS: 7
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:f4_e2m1 nk");
#else
constexpr plait::record_tag refused("nk: w:e2m1 nk");
#endif
