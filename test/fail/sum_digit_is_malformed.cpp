// EXPECT: sum_digit_is_malformed
// NUMBERS: 40, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:f32 4n /8k =sum(q;8k))");
#else
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:f32 4n /8k =sum(q;k))");
#endif
