// BOTH: a_view_is_reordered_into_a_view_make_one_of_each_pointer_and_its_layout

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_blocks(const float* in, float* out) {
#ifdef FIXED
    reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
#else
    reorder(plait::tensor_view(in, plain()), out);
#endif
}
