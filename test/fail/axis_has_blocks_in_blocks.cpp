// EXPECT: axis_has_blocks_in_blocks
// NUMBERS: 1, 2, 4
#include <plait/algebra/v0_blocking.hpp>

#ifdef FIXED
constexpr plait::layout weights({64, 64}, "AB16a4b2b");
#else
constexpr plait::layout weights({64, 64}, "AB4b16a2b");
#endif
constexpr auto refused = v0_blocking_of(weights);
