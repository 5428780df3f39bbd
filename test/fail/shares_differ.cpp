// EXPECT: shares_differ
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record refused("nk: (s:u4 n[:%64] N k 4n /16n, s:u4 n[%64:] k N /16n)", {100, 6});
#else
constexpr plait::record refused("nk: (s:u4 n[:%64] N k 2n /32n, s:u4 n[%64:] k N /16n)", {100, 6});
#endif
