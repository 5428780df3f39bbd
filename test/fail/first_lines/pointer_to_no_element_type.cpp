// BOTH: a reorder takes pointers to double, float, std::int32_t
// BOTH: unsigned

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
#ifdef FIXED
void to_blocks(const plait::float16* in, plait::float16* out) { plait::reorder<plain, blocked>(in, out); }
#else
void to_blocks(const unsigned short* in, unsigned short* out) { plait::reorder<plain, blocked>(in, out); }
#endif
