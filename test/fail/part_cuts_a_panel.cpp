// EXPECT: part_cuts_a_panel
// NUMBERS: 0, 6, 4, 8
#include <plait/packed/record_operations.hpp>

constexpr plait::record panels("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {16, 64});

#ifdef FIXED
constexpr auto refused = plait::submemory(panels, {8, 64}, {8, 0});
#else
constexpr auto refused = plait::submemory(panels, {10, 64}, {6, 0});
#endif
