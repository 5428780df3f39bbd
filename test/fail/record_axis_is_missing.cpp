// EXPECT: record_axis_is_missing
// NUMBERS: 5, 107, 776210194462932992
#include <plait/packed/record.hpp>

#ifdef FIXED
constexpr plait::record_tag refused("nk: bias:f32 N 4n /k");
#else
constexpr plait::record_tag refused("nk: bias:f32 N 4n");
#endif
