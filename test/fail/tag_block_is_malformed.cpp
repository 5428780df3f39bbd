// EXPECT: tag_block_is_malformed
// NUMBERS: 3, 0
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout refused({2, 3}, "aB16b");
#else
constexpr plait::layout refused({2, 3}, "aB016b");
#endif
