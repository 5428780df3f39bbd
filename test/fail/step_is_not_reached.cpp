// EXPECT: step_is_not_reached
// NUMBERS: 1, 22, 8, 16
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: NK(q:u4 2k 8n 8k 2k@16)");
#else
constexpr plait::record_tag refused("nk: NK(q:u4 2k 8n 8k 2k@9)");
#endif
