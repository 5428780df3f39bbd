// EXPECT: tag_has_too_many_blocks
// NUMBERS: 26, 13
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({8192}, "A2a2a2a2a2a2a2a2a2a2a2a2a");
#else
constexpr plait::layout refused({8192}, "A2a2a2a2a2a2a2a2a2a2a2a2a2a");
#endif
