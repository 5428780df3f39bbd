// GCC: position_is_out_of_range: index 2 of axis 1 is outside its extent 2
// CLANG: &position_is_out_of_range.axis_and_numbers[1][2][2]

#include <plait/plait.hpp>

constexpr plait::layout image({1, 32, 8, 6}, "nChw16c");
#ifdef FIXED
constexpr plait::dim_t place = image.block_offset(0, 1);
#else
constexpr plait::dim_t place = image.block_offset(0, 2);
#endif
