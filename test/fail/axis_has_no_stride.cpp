// EXPECT: axis_has_no_stride
// NUMBERS: 1, 1, 81
#include <plait/algebra/element_places.hpp>

#ifdef FIXED
constexpr plait::layout l({2, 16, 3, 2}, "nChw16c");
#else
constexpr plait::layout l({2, 17, 3, 2}, "nChw16c");
#endif
constexpr plait::strides steps = element_strides(l);
