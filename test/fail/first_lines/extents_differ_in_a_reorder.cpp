// GCC: dims_differ: axis 1 has 64 elements in one layout and 48 in the other
// CLANG: &dims_differ, plait::rejected::axis<1>, plait::rejected::numbers<64, 48>

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw");
#ifdef FIXED
constexpr plait::layout blocked({1, 64, 56, 56}, "nChw16c");
#else
constexpr plait::layout blocked({1, 48, 56, 56}, "nChw16c");
#endif
void to_blocks(const float* in, float* out) { plait::reorder<plain, blocked>(in, out); }
