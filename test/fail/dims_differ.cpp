// EXPECT: dims_differ
// NUMBERS: 1, 64, 48
#include <plait/reorder/reorder.hpp>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw");

#ifdef FIXED
constexpr plait::layout blocked({1, 64, 56, 56}, "nChw16c");
#else
constexpr plait::layout blocked({1, 48, 56, 56}, "nChw16c");
#endif
void to_blocks(const float* in, float* out) { plait::reorder<plain, blocked>(in, out); }
