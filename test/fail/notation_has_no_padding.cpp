// EXPECT: notation_has_no_padding
// NUMBERS: 1, 32, 17
#include <plait/io/cute_layout.hpp>

#ifdef FIXED
constexpr auto refused = plait::format_cute_layout(plait::layout({2, 32, 3}, "aBc16b")).value();
#else
constexpr auto refused = plait::format_cute_layout(plait::layout({2, 17, 3}, "aBc16b")).value();
#endif
