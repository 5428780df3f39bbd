// BOTH: after_two_views_come_attributes_in_braces_and_an_executor_comes_first

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

void to_blocks(const float* in, float* out) {
    const plait::tensor_view from(in, plain());
    const plait::tensor_view to(out, blocked());
#ifdef FIXED
    reorder(plait::sequential, from, to);
#else
    reorder(from, to, plait::sequential);
#endif
}
