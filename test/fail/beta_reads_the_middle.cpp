// EXPECT: beta_reads_the_middle
// NUMBERS: 1056964608, 0
#include <plait/reorder/fusion.hpp>

constexpr plait::layout row({8}, "a"), other({8}, plait::strides{2});

#ifdef FIXED
constexpr float beta = 0;
#else
constexpr float beta = 0.5f;
#endif
constexpr plait::reorder_step first{row, row, plait::data_type::s8, plait::data_type::f32, {.beta = beta}};
constexpr plait::reorder_step second{row, other, plait::data_type::f32, plait::data_type::f32};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);
