// EXPECT: loop_extents_differ
// NUMBERS: 5, 2, 3
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record refused("nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {8, 1});
#else
constexpr plait::record refused("nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {10, 1});
#endif
