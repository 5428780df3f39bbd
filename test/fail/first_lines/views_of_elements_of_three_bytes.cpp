// BOTH: a_reorder_takes_double_float_int32_t_int8_t_uint8_t_bfloat16_float16_float8_e5m2_float8_e4m3
// BOTH: colour

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

struct colour {
    unsigned char red, green, blue;
#ifdef FIXED
    unsigned char alpha;
#endif
};
void to_blocks(const colour* in, colour* out) {
    reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}
