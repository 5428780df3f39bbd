// GCC: no matching function for call to ‘reorder<plain, blocked>
// CLANG: invalid explicitly-specified argument for template parameter 'Src'
// ERRORS: any
// GCC names the value that is not a constant in a later line, after its first candidate.

#include <plait/plait.hpp>

void to_blocks(const float* in, float* out, plait::dim_t batch) {
    const plait::layout plain({batch, 64, 56, 56}, "nchw"), blocked({batch, 64, 56, 56}, "nChw16c");
#ifdef FIXED
    plait::reorder(plain, in, blocked, out);
#else
    plait::reorder<plain, blocked>(in, out);
#endif
}
