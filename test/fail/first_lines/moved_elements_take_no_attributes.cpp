// BOTH: elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes
// GCC: attributes<short unsigned int>
// CLANG: attributes<unsigned short>

#include <plait/plait.hpp>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
void to_blocks(const unsigned short* in, unsigned short* out) {
#ifdef FIXED
    plait::reorder<plain, blocked>(in, out);
#else
    plait::reorder<plain, blocked>(in, out, {.src_scale = 0.5f});
#endif
}
