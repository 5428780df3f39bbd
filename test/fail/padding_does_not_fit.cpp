// EXPECT: padding_does_not_fit
// NUMBERS: 5, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:u4 NK 4n 4k ~k=8");
#else
constexpr plait::record_tag refused("nk: w:u4 NK 4n 4k ~k=16");
#endif
