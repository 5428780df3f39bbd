// EXPECT: field_is_not_regrouped
#include <plait/packed/record_operations.hpp>

constexpr plait::record panels("nk: NK(d:f16 4n /32k, q:u4 2k 4n 8k 2k@16)", {16, 96});

#ifdef FIXED
constexpr plait::record refused = plait::split_axis(panels, 1, {3, 32});
#else
constexpr plait::record refused = plait::split_axis(panels, 1, {2, 48});
#endif
