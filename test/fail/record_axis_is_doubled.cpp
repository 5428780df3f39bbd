// EXPECT: record_axis_is_doubled
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: nK(q:u4 32k)");
#else
constexpr plait::record_tag refused("nk: nK(q:u4 k 32k)");
#endif
