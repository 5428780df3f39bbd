// BOTH: a reorder takes pointers to double, float, std::int32_t
// BOTH: colour

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
struct colour {
    unsigned char red, green, blue;
#ifdef FIXED
    unsigned char alpha;
#endif
};
void to_blocks(const colour* in, colour* out) { plait::reorder<plain, blocked>(in, out); }
