// EXPECT: notation_has_no_offset
// NUMBERS: 4, 0
#include <plait/io/xla_layout.hpp>

#include <plait/algebra/submemory.hpp>

constexpr plait::layout image({4, 4}, "ab");

#ifdef FIXED
constexpr auto refused = plait::format_xla_layout(plait::submemory(image, {2, 4}, {0, 0})).value();
#else
constexpr auto refused = plait::format_xla_layout(plait::submemory(image, {2, 4}, {1, 0})).value();
#endif
