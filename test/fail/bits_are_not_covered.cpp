// EXPECT: bits_are_not_covered
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record refused("nk: (w:u4 nk, w.4:u2 nk)", {4, 4});
#else
constexpr plait::record refused("nk: (w:u4 nk, w.5:u2 nk)", {4, 4});
#endif
