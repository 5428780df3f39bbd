// EXPECT: attributes_round_between
// NUMBERS: 9, 2, 8
#include <plait/reorder/fusion.hpp>

constexpr plait::layout row({8}, "a");

#ifdef FIXED
constexpr float scale = 0.5f;
#else
constexpr float scale = 0.1f;
#endif
constexpr plait::reorder_step first{row, row, plait::data_type::u8, plait::data_type::f32, {.src_scale = scale}};
constexpr plait::reorder_step second{row, row, plait::data_type::f32, plait::data_type::s8};
constexpr auto one = fuse(plait::detail::reorder_step_c<first>, plait::detail::reorder_step_c<second>);
