// GCC: position_is_out_of_range: index 9 of axis 2 is outside its extent 8
// CLANG: &position_is_out_of_range.axis_and_numbers[2][9][8]

#include <plait/plait.hpp>

constexpr plait::layout image({2, 3, 8, 6}, "nchw");
#ifdef FIXED
constexpr plait::dim_t place = image.offset(1, 2, 7, 3);
#else
constexpr plait::dim_t place = image.offset(1, 2, 9, 3);
#endif
