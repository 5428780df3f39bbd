// EXPECT: tag_block_is_too_small
// NUMBERS: 5, 1
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 16, 5, 4}, "nChw8c");
#else
constexpr plait::layout refused({2, 16, 5, 4}, "nChw1c");
#endif
