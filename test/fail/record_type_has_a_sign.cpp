// EXPECT: record_type_has_a_sign
// NUMBERS: 10, 2, 2
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: nK(q:u2^2 32k)");
#else
constexpr plait::record_tag refused("nk: nK(q:s2 32k)");
#endif
