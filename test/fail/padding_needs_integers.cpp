// EXPECT: padding_needs_integers
// NUMBERS: 5, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: w:s32 NK 4n 4k ~k=1");
#else
constexpr plait::record_tag refused("nk: w:f32 NK 4n 4k ~k=1");
#endif
