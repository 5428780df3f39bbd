// BOTH: elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes<bool>

#include <plait/plait.hpp>

void to_blocks(const bool* in, bool* out) {
    const plait::tensor_view from(in, plait::nchw<1, 64, 8, 8>());
    const plait::tensor_view to(out, plait::nChw16c<1, 64, 8, 8>());
#ifdef FIXED
    reorder(from, to);
#else
    reorder(from, to, {.dst_scale = 0.5f});
#endif
}
