// EXPECT: axis_has_blocks_in_blocks
// NUMBERS: 1, 2, 4
#include <plait/algebra/v0_blocking.hpp>

#ifdef FIXED
constexpr plait::v0_blocking refused = v0_blocking_of(plait::layout({64, 64}, "AB16a8b"));
#else
constexpr plait::v0_blocking refused = v0_blocking_of(plait::layout({64, 64}, "AB4b16a2b"));
#endif
