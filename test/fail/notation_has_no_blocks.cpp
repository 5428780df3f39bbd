// EXPECT: notation_has_no_blocks
// NUMBERS: 1, 2, 1
#include <plait/io/linalg_pack.hpp>

#ifdef FIXED
constexpr auto refused = plait::format_linalg_pack(plait::layout({64, 64, 3}, "ABc16a4b")).value();
#else
constexpr auto refused = plait::format_linalg_pack(plait::layout({64, 64, 3}, "ABc4b16a4b")).value();
#endif
