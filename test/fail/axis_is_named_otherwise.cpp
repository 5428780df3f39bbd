// EXPECT: axis_is_named_otherwise
// NUMBERS: 0, 110, 111
#include <plait/typed/formats.hpp>

#ifdef FIXED
constexpr plait::oihw<64, 64, 3, 3> weights;
#else
constexpr plait::nchw<64, 64, 3, 3> weights;
#endif
constexpr auto refused = (plait::require_axes<"oihw">(weights), 0);
