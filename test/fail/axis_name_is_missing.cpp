// EXPECT: axis_name_is_missing
// NUMBERS: 0, 110
#include <plait/bridge/axis_map_of.hpp>

// n and k may both be the batch, but the names do not match.
#ifdef FIXED
constexpr auto refused = plait::axis_map_of<"nchw", "nhwc">();
#else
constexpr auto refused = plait::axis_map_of<"nchw", "khwc">();
#endif
