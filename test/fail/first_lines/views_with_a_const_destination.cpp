// BOTH: a_reorder_writes_to_its_second_view_which_cannot_have_const_elements

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

#ifdef FIXED
void to_blocks(const float* in, float* out) {
#else
void to_blocks(const float* in, const float* out) {
#endif
    reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}
