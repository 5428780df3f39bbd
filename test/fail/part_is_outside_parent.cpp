// EXPECT: part_is_outside_parent
// NUMBERS: 1, 33, 32
#include <plait/algebra/submemory.hpp>

#ifdef FIXED
constexpr plait::position offsets{0, 16};
#else
constexpr plait::position offsets{0, 17};
#endif
constexpr auto refused = plait::submemory(plait::layout({2, 32}, "aB16b"), {2, 16}, offsets);
