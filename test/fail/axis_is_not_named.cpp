// EXPECT: axis_is_not_named
// NUMBERS: 0, 111
#include <plait/typed/formats.hpp>

// What a and b mean, nothing says.
constexpr plait::formats::ab<64, 32> matrix;

#ifdef FIXED
constexpr auto refused = (plait::require_axes<"oi">(plait::name_axes<"oi">(matrix)), 0);
#else
constexpr auto refused = (plait::require_axes<"oi">(matrix), 0);
#endif
