// EXPECT: record_axis_is_unknown
// NUMBERS: 11, 109
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:u4 nk");
#else
constexpr plait::record_tag refused("nk: w:u4 nm");
#endif
