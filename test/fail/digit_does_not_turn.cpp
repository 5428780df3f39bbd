// EXPECT: digit_does_not_turn
// NUMBERS: 1, 15, 4, 2
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: N(w:f32 K 4k-n 8n)");
#else
constexpr plait::record_tag refused("nk: N(w:f32 K 4k-n 2n)");
#endif
