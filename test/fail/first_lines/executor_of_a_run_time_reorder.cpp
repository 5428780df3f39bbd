// BOTH: the first argument of this reorder is no executor: an executor e has e.concurrency()

#include <plait/plait.hpp>

void move(const plait::layout& from, const float* in, const plait::layout& to, float* out) {
#ifdef FIXED
    plait::reorder(plait::sequential, from, in, to, out, {.src_scale = 0.5f});
#else
    plait::reorder(2, from, in, to, out, {.src_scale = 0.5f});
#endif
}
