// EXPECT: notation_has_no_strides
// NUMBERS: 0, 3, 8
#include <plait/io/xla_layout.hpp>

#ifdef FIXED
constexpr auto refused = plait::format_xla_layout(plait::layout({2, 3}, plait::strides{3, 1})).value();
#else
constexpr auto refused = plait::format_xla_layout(plait::layout({2, 3}, plait::strides{8, 1})).value();
#endif
