// Format tags.
#include <plait/core/layout.hpp>

// EXPECT: tag_axis_is_doubled (4, 2)
constexpr plait::layout refused({2, 3, 4, 5}, "nchc");
// FIXED: constexpr plait::layout refused({2, 3, 4, 5}, "nchw");

// EXPECT: tag_axis_is_missing (4, 99)
constexpr plait::layout refused({2, 3, 4, 5}, "abd");
// FIXED: constexpr plait::layout refused({2, 3, 4, 5}, "abdc");

// EXPECT: tag_block_is_malformed (3, 0)
constexpr plait::layout refused({2, 3}, "aB016b");
// FIXED: constexpr plait::layout refused({2, 3}, "aB16b");

// EXPECT: tag_block_is_too_small (5, 1)
constexpr plait::layout refused({2, 16, 5, 4}, "nChw1c");
// FIXED: constexpr plait::layout refused({2, 16, 5, 4}, "nChw8c");

// EXPECT: tag_blocked_axis_is_not_upper_case (2, 7)
constexpr plait::layout refused({2, 16, 5, 4}, "nchw16c");
// FIXED: constexpr plait::layout refused({2, 16, 5, 4}, "nChw16c");

// EXPECT: tag_character_is_unknown (2, 0)
constexpr plait::layout refused({2, 3}, "a?b");
// FIXED: constexpr plait::layout refused({2, 3}, "ab");

// EXPECT: tag_has_too_many_axes (13, 13)
using letters = plait::axis_names<"abcdefghijklmnop">;
plait::format_tag refused = letters::tag("abcdefghijklm");
// FIXED: plait::format_tag refused = letters::tag("abcdefghijkl");

// EXPECT: tag_has_too_many_blocks (26, 13)
constexpr plait::layout refused({8192}, "A2a2a2a2a2a2a2a2a2a2a2a2a2a");
// FIXED: constexpr plait::layout refused({8192}, "A2a2a2a2a2a2a2a2a2a2a2a2a");

// EXPECT: tag_is_empty
constexpr plait::layout refused({2, 3}, "");
// FIXED: constexpr plait::layout refused({2, 3}, "ab");

// EXPECT: tag_axis_is_doubled (4, 2)
plait::layout refused(int batch) { return {{batch, 16, 5, 4}, "nchc"}; }
// FIXED: plait::layout refused(int batch) { return {{batch, 16, 5, 4}, "nchw"}; }

// EXPECT: tag_upper_case_axis_has_no_block (2, 0)
constexpr plait::layout refused({2, 16, 5, 4}, "nChw");
// FIXED: constexpr plait::layout refused({2, 16, 5, 4}, "nChw8c");
