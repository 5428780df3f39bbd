// BOTH: a_quantised_view_has_its_own_scales_so_it_takes_no_attributes

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_blocks(const float* in, std::int8_t* out) {
    const plait::tensor_view from(in, plain());
    const auto to = plait::with_quantization(plait::tensor_view(out, blocked()), plait::per_tensor(0.5f));
#ifdef FIXED
    reorder(from, to.stored(), {.dst_scale = 0.5f});
#else
    reorder(from, to, {.dst_scale = 0.5f});
#endif
}
