// EXPECT: tag_is_empty
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 3}, "ab");
#else
constexpr plait::layout refused({2, 3}, "");
#endif
