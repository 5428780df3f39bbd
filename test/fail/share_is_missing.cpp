// EXPECT: share_is_missing
// NUMBERS: 1, 8, 32, 776870935721410560
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: NK(d:f16 8n /32k, q:u4 8n 32k)");
#else
constexpr plait::record_tag refused("nk: NK(d:f16 8n, q:u4 8n 32k)");
#endif
