// EXPECT: position_is_out_of_range
// NUMBERS: 2, 3, 3
#include <plait/typed/bound_layout.hpp>
#include <plait/typed/formats.hpp>

constexpr auto bound = plait::bind(plait::nChw16c<2, 17, plait::dynamic, 2>(), 3);

#ifdef FIXED
constexpr plait::dim_t refused = bound.offset(1, 16, 2, 1);
#else
constexpr plait::dim_t refused = bound.offset(1, 16, 3, 1);
#endif
