// GCC: rejected::tag_character_is_unknown
// CLANG: 'tag_character_is_unknown' cannot be used

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");
#else
constexpr plait::layout image({2, 17, 5, 4}, "nChv16c");
#endif
