// EXPECT: sum_is_exact
// NUMBERS: 20, 0
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:s32 4n /8k =sum(q))");
#else
constexpr plait::record_tag refused("nk: NK(q:u4 4n 8k, s:s32 4n /8k =sum(q;8k))");
#endif
