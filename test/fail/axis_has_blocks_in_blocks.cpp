// EXPECT: axis_has_blocks_in_blocks
// NUMBERS: 1, 2, 4
#include <plait/algebra/v0_blocking.hpp>

#ifdef FIXED
<<<<<<< HEAD
constexpr plait::layout weights({64, 64}, "AB16a4b2b");
#else
constexpr plait::layout weights({64, 64}, "AB4b16a2b");
#endif
constexpr auto refused = v0_blocking_of(weights);
=======
constexpr plait::v0_blocking refused = v0_blocking_of(plait::layout({64, 64}, "AB16a8b"));
#else
constexpr plait::v0_blocking refused = v0_blocking_of(plait::layout({64, 64}, "AB4b16a2b"));
#endif
>>>>>>> part-f
