// EXPECT: paddings_differ
// NUMBERS: 27, 8, 9
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:u4 NK 4n 4k ~n=8 ~k=8");
#else
constexpr plait::record_tag refused("nk: w:u4 NK 4n 4k ~n=8 ~k=9");
#endif
