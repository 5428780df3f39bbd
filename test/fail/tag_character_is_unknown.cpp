// EXPECT: tag_character_is_unknown
// NUMBERS: 2, 0
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 3}, "ab");
#else
constexpr plait::layout refused({2, 3}, "a?b");
#endif
