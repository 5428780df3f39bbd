// GCC: dims_differ: axis 1 has 64 elements in one layout and 48 in the other
// CLANG: &dims_differ, plait::rejected::axis<1>, plait::rejected::numbers<64, 48>

#include <plait/plait.hpp>

void to_last(const float* in, float* out) {
#ifdef FIXED
    plait::reorder<plait::nchw<1, 64, 8, 8>, plait::nhwc<1, 64, 8, 8>>(in, out);
#else
    plait::reorder<plait::nchw<1, 64, 8, 8>, plait::nhwc<1, 48, 8, 8>>(in, out);
#endif
}
