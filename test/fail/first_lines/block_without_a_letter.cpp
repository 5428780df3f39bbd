// GCC: tag_block_is_malformed: column 5 of the format tag
// CLANG: &tag_block_is_malformed.numbers[5]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");
#else
constexpr plait::layout image({2, 17, 5, 4}, "nChw16");
#endif
