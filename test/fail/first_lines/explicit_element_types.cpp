// BOTH: the element types that this reorder names are not those of its pointers

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 64, 8, 8}, "nchw"), blocked({1, 64, 8, 8}, "nChw16c");
void to_blocks(const float* in, float* out) {
#ifdef FIXED
    plait::reorder<plain, blocked, float, float>(in, out);
#else
    plait::reorder<plain, blocked, float, double>(in, out);
#endif
}
