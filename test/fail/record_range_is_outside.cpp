// EXPECT: record_range_is_outside
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record refused("nk: (q:u4 n[0:8] n k, q:u4 n[8:] n k)", {12, 32});
#else
constexpr plait::record refused("nk: (q:u4 n[0:16] n k, q:u4 n[16:] n k)", {12, 32});
#endif
