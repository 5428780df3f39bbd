// BOTH: the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_blocks(const float* in, std::int8_t* out) {
#ifdef FIXED
    plait::reorder<plain, blocked>(in, out, {.src_scale = 0.5f});
#else
    plait::reorder<plain, blocked>(in, out, {.scale = 0.5f});
#endif
}
