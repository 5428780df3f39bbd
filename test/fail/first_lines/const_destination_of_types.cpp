// BOTH: a reorder writes to its second pointer, the destination: it cannot point to const elements

#include <plait/plait.hpp>

#ifdef FIXED
void to_last(const float* in, float* out) {
#else
void to_last(const float* in, const float* out) {
#endif
    plait::reorder<plait::nchw<1, 64, 8, 8>, plait::nhwc<1, 64, 8, 8>>(in, out);
}
