// GCC: part_cuts_a_block: along axis 1 the part begins or ends at 8, inside a block of 16
// CLANG: &part_cuts_a_block.axis_and_numbers[1][8][16]

#include <plait/plait.hpp>

constexpr plait::layout image({1, 32, 8, 6}, "nChw16c");
#ifdef FIXED
constexpr plait::layout part = plait::submemory(image, {1, 16, 8, 6}, {0, 16, 0, 0});
#else
constexpr plait::layout part = plait::submemory(image, {1, 16, 8, 6}, {0, 8, 0, 0});
#endif
