// EXPECT: position_is_out_of_range
// NUMBERS: 1, 17, 17
#include <plait/typed/formats.hpp>

#ifdef FIXED
constexpr plait::dim_t refused = plait::nChw16c<2, 17, 3, 2>::offset(1, 16, 2, 1);
#else
constexpr plait::dim_t refused = plait::nChw16c<2, 17, 3, 2>::offset(1, 17, 2, 1);
#endif
