// BOTH: a_reorder_takes_double_float_int32_t_int8_t_uint8_t_bfloat16_float16_float8_e5m2_float8_e4m3

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
constexpr auto axes = plait::axis_map_c<0, 3, 1, 2>;

void to_blocks(const float* in, float* out, [[maybe_unused]] long* wide) {
#ifdef FIXED
    reorder(plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(out, blocked(), axes));
#else
    reorder(plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(wide, blocked(), axes));
#endif
}
