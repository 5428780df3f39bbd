// GCC: tag_character_is_unknown: column 4 of the format tag
// CLANG: &tag_character_is_unknown.numbers[4]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");
#else
constexpr plait::layout image({2, 17, 5, 4}, "nChv16c");
#endif
