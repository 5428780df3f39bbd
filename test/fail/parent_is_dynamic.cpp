// EXPECT: parent_is_dynamic
// NUMBERS: 0, 0, 0
#include <plait/algebra/submemory.hpp>

#ifdef FIXED
constexpr plait::layout parent({2, 32}, "ab");
#else
constexpr plait::layout parent({plait::dynamic, 32}, "ab");
#endif
constexpr auto refused = plait::submemory(parent, {2, 16}, {0, 0});
