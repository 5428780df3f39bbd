// EXPECT: parent_is_not_blocked
#include <plait/algebra/submemory.hpp>

#ifdef FIXED
constexpr plait::layout parent({2, 32}, "ab");
#else
constexpr plait::layout parent({2, 32}, "any");
#endif
constexpr auto refused = plait::submemory(parent, {2, 16}, {0, 0});
