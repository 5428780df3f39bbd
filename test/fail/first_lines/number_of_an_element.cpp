// GCC: position_is_out_of_range: index 2 of axis 0 is outside its extent 2
// CLANG: &position_is_out_of_range.axis_and_numbers[0][2][2]

#include <plait/plait.hpp>

constexpr plait::layout image({2, 3, 8, 6}, "nchw");
#ifdef FIXED
constexpr plait::dim_t place = image.linear_offset(287);
#else
constexpr plait::dim_t place = image.linear_offset(288);
#endif
