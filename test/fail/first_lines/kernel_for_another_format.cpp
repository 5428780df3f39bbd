// GCC: no matching function for call to ‘relu(plait::u_0::tensor_view<float, plait::u_0::nhwc<1, 64, 8, 8> >)’
// GCC: matches<L, {"nChw16c"}>
// CLANG: constraints not satisfied [with L = plait::nhwc<1, 64, 8, 8>]
// CLANG: plait::matches<L, "nChw16c">

#include <plait/plait.hpp>

template <class L>
void relu(plait::tensor_view<float, L>) requires plait::matches<L, "nChw16c"> {}

float* data;
void run() {
#ifdef FIXED
    relu(plait::tensor_view(data, plait::nChw16c<1, 64, 8, 8>()));
#else
    relu(plait::tensor_view(data, plait::nhwc<1, 64, 8, 8>()));
#endif
}
