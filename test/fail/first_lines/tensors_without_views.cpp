// BOTH: a_tensor_is_reordered_by_its_view_for_a_tensor_t_pass_t_view

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_blocks(const plait::tensor<float, plain>& in, plait::tensor<float, blocked>& out) {
#ifdef FIXED
    reorder(in.view(), out.view());
#else
    reorder(in, out);
#endif
}
