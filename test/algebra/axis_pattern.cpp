#include <plait/algebra/axis_pattern.hpp>

#include "support/small_layouts.hpp"

#include <string>

namespace test_algebra_axis_pattern { namespace {

using namespace plait;

constexpr bool refused(std::string_view text, const verdict& why) {
    return check_axis_pattern(text) == why && parse_axis_pattern(text).error() == why;
}

TEST_CASE("axis_pattern: parses names, groups, axes of one element and the ellipsis") {
    constexpr axis_pattern p("batch (g c1) ... 1 -> g () ( ...   c1 batch)");
    STATIC_CHECK(p.names.size() == 3);
    STATIC_CHECK(p.name(0) == "batch" && p.name(1) == "g" && p.name(2) == "c1");
    STATIC_CHECK(p.find("c1") == 2 && p.find("c") == -1);
    STATIC_CHECK(p.left.groups.size() == 4 && p.left.groups[1].size() == 2 && p.left.groups[2].spreads &&
                 p.left.groups[3].size() == 0);
    STATIC_CHECK(p.right.groups.size() == 3 && p.right.groups[1].size() == 0 && !p.right.groups[2].spreads);
    STATIC_CHECK(p.right.items[p.right.groups[2].first] == axis_pattern::ellipsis);
    STATIC_CHECK(p.left.groups[1].column == 7);
    STATIC_CHECK(axis_pattern("h (b w) -> b w h").find("w") == 2);
    STATIC_CHECK(*parse_axis_pattern("a b->b a") == axis_pattern("a b->b a"));
    // 1 within parentheses has no effect, and sides may be empty.
    STATIC_CHECK(axis_pattern("(1 a 1) -> a").left.groups[0].size() == 1);
    STATIC_CHECK(axis_pattern("->").left.groups.empty());
    STATIC_CHECK(axis_pattern("a b c d e f g h i j k l -> (a b c d e f g h i j k l)").names.size() == 12);
    STATIC_CHECK(axis_pattern("a b c d e f g h i j k l ... -> ... a b c d e f g h i j k l").left.groups.size() == 13);
}

TEST_CASE("axis_pattern: each refusal, at its column") {
    STATIC_CHECK(refused("a b", {reason::pattern_arrow_is_missing, -1, 4}));
    STATIC_CHECK(refused("", {reason::pattern_arrow_is_missing, -1, 1}));
    STATIC_CHECK(refused("a -> a -> a", {reason::pattern_arrow_is_doubled, -1, 8, 3}));
    STATIC_CHECK(refused("a-b -> a", {reason::pattern_character_is_unknown, -1, 2}));
    STATIC_CHECK(refused("a .. -> a", {reason::pattern_character_is_unknown, -1, 3}));
    STATIC_CHECK(refused("a 1b -> a", {reason::pattern_character_is_unknown, -1, 4}));
    STATIC_CHECK(refused("a, b -> a", {reason::pattern_character_is_unknown, -1, 2}));
    STATIC_CHECK(refused("((a) b) -> a b", {reason::pattern_parenthesis_does_not_match, -1, 2}));
    STATIC_CHECK(refused("a) -> a", {reason::pattern_parenthesis_does_not_match, -1, 2}));
    STATIC_CHECK(refused("(a b -> a b", {reason::pattern_parenthesis_does_not_match, -1, 1}));
    STATIC_CHECK(refused("a b -> (a b", {reason::pattern_parenthesis_does_not_match, -1, 8}));
    STATIC_CHECK(refused("a b a -> a b", {reason::pattern_axis_is_doubled, -1, 5, 1}));
    STATIC_CHECK(refused("a b -> a b b", {reason::pattern_axis_is_doubled, -1, 12, 10}));
    STATIC_CHECK(refused("... a ... -> a ...", {reason::pattern_axis_is_doubled, -1, 7, 1}));
    STATIC_CHECK(refused("a b -> a c", {reason::pattern_axis_is_on_one_side, -1, 10}));
    STATIC_CHECK(refused("a bb -> a", {reason::pattern_axis_is_on_one_side, -1, 3}));
    STATIC_CHECK(refused("a ... -> a", {reason::pattern_axis_is_on_one_side, -1, 3}));
    STATIC_CHECK(refused("a -> a ...", {reason::pattern_axis_is_on_one_side, -1, 8}));
    STATIC_CHECK(refused("a 3 -> a", {reason::pattern_number_is_not_one, -1, 3, 3}));
    STATIC_CHECK(refused("(a 16) -> a", {reason::pattern_number_is_not_one, -1, 4, 16}));
    STATIC_CHECK(refused("a -> a 0", {reason::pattern_number_is_not_one, -1, 8, 0}));
    STATIC_CHECK(refused("(a ...) -> a ...", {reason::pattern_ellipsis_is_joined, -1, 4}));
    STATIC_CHECK(refused("a b c d e f g h i j k l m -> a", {reason::pattern_has_too_many_axes, -1, 25, 13, 12}));
    STATIC_CHECK(refused("(a b c d e f g h i j k l m) -> a", {reason::pattern_has_too_many_axes, -1, 26, 13, 12}));
    STATIC_CHECK(refused("1 1 1 1 1 1 1 1 1 1 1 1 1 ->", {reason::pattern_has_too_many_axes, -1, 25, 13, 12}));
    STATIC_CHECK(
        refused("a -> () () () () () () () () () () () () a", {reason::pattern_has_too_many_axes, -1, 42, 13, 12}));
    CHECK(refused(std::string(300, 'a'), {reason::pattern_is_too_long, -1, 300, 255}));
    CHECK(std::string(describe(check_axis_pattern("a b -> a c")).c_str()).find("column 10 of the pattern") !=
          std::string::npos);
}

}}  // namespace test_algebra_axis_pattern
