// EXPECT: axis_is_not_named
// NUMBERS: 0, 111
#include <plait/typed/formats.hpp>

// The axes a and b have no meaning, so neither matches o or i.
constexpr plait::formats::ab<64, 32> matrix;

#ifdef FIXED
constexpr auto refused = (plait::require_axes<"oi">(plait::name_axes<"oi">(matrix)), 0);
#else
constexpr auto refused = (plait::require_axes<"oi">(matrix), 0);
#endif
