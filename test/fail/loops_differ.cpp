// EXPECT: loops_differ
// NUMBERS: 6, 32, 16
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)");
#else
constexpr plait::record_tag refused("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k)");
#endif
