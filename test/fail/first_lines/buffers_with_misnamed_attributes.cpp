// BOTH: the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
constexpr auto axes = plait::axis_map_c<0, 3, 1, 2>;

void to_blocks(const float* in, float* out) {
#ifdef FIXED
    reorder(plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(out, blocked(), axes), {.src_scale = 2});
#else
    reorder(plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(out, blocked(), axes), {.scale = 2});
#endif
}
