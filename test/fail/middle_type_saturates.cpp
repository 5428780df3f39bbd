// EXPECT: middle_type_saturates
// NUMBERS: 7, 8
#include <plait/reorder/fusion.hpp>

constexpr plait::layout row({8}, "a");

#ifdef FIXED
constexpr plait::data_type middle = plait::data_type::f64;
#else
constexpr plait::data_type middle = plait::data_type::s8;
#endif
constexpr plait::reorder_step first{row, row, plait::data_type::s32, middle};
constexpr plait::reorder_step second{row, row, middle, plait::data_type::f32};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);
