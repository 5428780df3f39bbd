// Notations of other projects.
#include <plait/algebra/submemory.hpp>
#include <plait/io/cute_layout.hpp>
#include <plait/io/linalg_pack.hpp>
#include <plait/io/xla_layout.hpp>

// EXPECT: notation_has_no_blocks (1, 2, 1)
constexpr auto refused = plait::format_linalg_pack(plait::layout({64, 64, 3}, "ABc4b16a4b")).value();
// FIXED: constexpr auto refused = plait::format_linalg_pack(plait::layout({64, 64, 3}, "ABc16a4b")).value();

// EXPECT: notation_has_no_offset (4, 0)
constexpr plait::layout image({4, 4}, "ab");
constexpr auto refused = plait::format_xla_layout(plait::submemory(image, {2, 4}, {1, 0})).value();
// FIXED: constexpr auto refused = plait::format_xla_layout(plait::submemory(image, {2, 4}, {0, 0})).value();

// EXPECT: notation_has_no_padding (1, 32, 17)
constexpr auto refused = plait::format_cute_layout(plait::layout({2, 17, 3}, "aBc16b")).value();
// FIXED: constexpr auto refused = plait::format_cute_layout(plait::layout({2, 32, 3}, "aBc16b")).value();

// EXPECT: notation_has_no_strides (0, 3, 8)
constexpr auto refused = plait::format_xla_layout(plait::layout({2, 3}, plait::strides{8, 1})).value();
// FIXED: constexpr auto refused = plait::format_xla_layout(plait::layout({2, 3}, plait::strides{3, 1})).value();

// EXPECT: notation_is_malformed (5, 0)
constexpr auto refused = plait::parse_xla_layout("{1,0", {8, 8}).value();
// FIXED: constexpr auto refused = plait::parse_xla_layout("{1,0}", {8, 8}).value();

// EXPECT: notation_says_more (6, 0)
constexpr auto refused = plait::parse_xla_layout("{1,0:S(1)}", {8, 8}).value();
// FIXED: constexpr auto refused = plait::parse_xla_layout("{1,0}", {8, 8}).value();
