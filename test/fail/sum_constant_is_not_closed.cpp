// EXPECT: sum_constant_is_not_closed
// NUMBERS: 55, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, d:f32 4n /8k, s:f32 4n /8k =sum((q-8)*d;8k))");
#else
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, d:f32 4n /8k, s:f32 4n /8k =sum(q-8*d;8k))");
#endif
