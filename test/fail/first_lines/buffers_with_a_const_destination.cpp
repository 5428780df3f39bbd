// BOTH: a_reorder_writes_to_its_second_buffer_which_cannot_have_const_elements

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
constexpr auto axes = plait::axis_map_c<0, 3, 1, 2>;

void to_blocks(const float* in, float* out) {
#ifdef FIXED
    reorder(plait::shaped_buffer(in, plain(), axes), plait::shaped_buffer(out, blocked(), axes));
#else
    reorder(plait::shaped_buffer(out, blocked(), axes), plait::shaped_buffer(in, plain(), axes));
#endif
}
