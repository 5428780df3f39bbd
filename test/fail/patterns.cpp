// Patterns of rearrange.
#include <plait/algebra/rearrange.hpp>

constexpr plait::layout image({2, 12}, "ab");

// EXPECT: pattern_arrow_is_doubled (10, 5)
constexpr plait::layout refused = plait::rearrange<"a b -> a -> b a">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_arrow_is_missing (4, 0)
constexpr plait::layout refused = plait::rearrange<"a b">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_axis_is_doubled (12, 8)
constexpr plait::layout refused = plait::rearrange<"a b -> b a b">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_axis_is_on_one_side (8, 0)
constexpr plait::layout refused = plait::rearrange<"a b -> c a">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_character_is_unknown (2, 0)
constexpr plait::layout refused = plait::rearrange<"a, b -> b a">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_ellipsis_is_joined (4, 0)
constexpr plait::layout refused = plait::rearrange<"(a ...) -> a ...">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a ... -> (a ...)">(image);

// EXPECT: pattern_extent_is_missing (3, 2)
constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c");
// FIXED: constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c", {{"b", 4}});

// EXPECT: pattern_extent_is_not_of_an_axis (1, 4)
constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c", {{"d", 4}});
// FIXED: constexpr plait::layout refused = plait::rearrange(image, "a (b c) -> a b c", {{"b", 4}});

// EXPECT: pattern_extents_do_not_match (0, 2, 1)
constexpr plait::layout refused = plait::rearrange<"a (b c) -> a b c">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a (b c) -> a b c", 4>(image);

// EXPECT: pattern_has_too_many_axes (25, 13, 12)
constexpr plait::layout refused = plait::rearrange<"a b c d e f g h i j k l m -> a">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_is_too_long (270, 255)
#ifdef FIXED
constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);
#else
constexpr plait::layout refused = plait::rearrange<
    "a b -> b a                                                                                                        "
    "                                                                                                                  "
    "                                          ">(image);
#endif

// EXPECT: pattern_number_is_not_one (6, 4)
constexpr plait::layout refused = plait::rearrange<"a (b 4) -> b a">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> b a">(image);

// EXPECT: pattern_parenthesis_does_not_match (8, 0)
constexpr plait::layout refused = plait::rearrange<"a b -> (b a">(image);
// FIXED: constexpr plait::layout refused = plait::rearrange<"a b -> (b a)">(image);
