// EXPECT: one_pass_differs
// NUMBERS: 7, 1, 3
#include <plait/reorder/fusion.hpp>

constexpr plait::layout row({8}, "a");

#ifdef FIXED
constexpr plait::data_type last = plait::data_type::f16;
#else
constexpr plait::data_type last = plait::data_type::bf16;
#endif
constexpr plait::reorder_step first{row, row, plait::data_type::s32, plait::data_type::f64};
constexpr plait::reorder_step second{row, row, plait::data_type::f64, last};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);
