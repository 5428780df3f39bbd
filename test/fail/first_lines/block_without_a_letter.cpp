// GCC: rejected::tag_block_is_malformed
// CLANG: 'tag_block_is_malformed' cannot be used

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout image({2, 17, 5, 4}, "nChw16c");
#else
constexpr plait::layout image({2, 17, 5, 4}, "nChw16");
#endif
