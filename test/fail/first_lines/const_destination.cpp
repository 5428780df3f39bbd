// BOTH: a reorder writes to its second pointer, the destination: it cannot point to const elements

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 64, 8, 8}, "nchw"), blocked({1, 64, 8, 8}, "nChw16c");
#ifdef FIXED
void to_blocks(const float* in, float* out) {
#else
void to_blocks(const float* in, const float* out) {
#endif
    plait::reorder<plain, blocked>(in, out);
}
