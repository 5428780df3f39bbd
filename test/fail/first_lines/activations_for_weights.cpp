// GCC: no matching function for call to ‘convolve(plait::u_0::tensor_view<const float, plait::u_0::nchw<
// GCC: with_axes<W, {"oihw", 4}>
// CLANG: constraints not satisfied [with W = plait::nchw<64, 64, 3, 3>]

#include <plait/plait.hpp>

template <class W>
    requires plait::with_axes<W, "oihw">
void convolve(plait::tensor_view<const float, W>) {}

const float* weights;
void run() {
#ifdef FIXED
    convolve(plait::tensor_view(weights, plait::oihw<64, 64, 3, 3>()));
#else
    convolve(plait::tensor_view(weights, plait::nchw<64, 64, 3, 3>()));
#endif
}
