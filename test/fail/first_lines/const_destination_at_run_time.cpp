// BOTH: a reorder writes to its second pointer, the destination: it cannot point to const elements

#include <plait/plait.hpp>

#ifdef FIXED
void move(const plait::layout& from, const float* in, const plait::layout& to, float* out) {
#else
void move(const plait::layout& from, const float* in, const plait::layout& to, const float* out) {
#endif
    plait::reorder(from, in, to, out);
}
