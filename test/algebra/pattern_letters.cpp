#include <plait/algebra/pattern_letters.hpp>

#include "support/static_check.hpp"

namespace test_algebra_pattern_letters { namespace {

using namespace plait;
using namespace plait::detail;

constexpr letter_list letters_of(const letter_list& have, const char* text) {
    return rearranged_letters(have, *parse_axis_pattern(text));
}
constexpr verdict check(const letter_list& have, const char* text) {
    return check_pattern_letters(have, *parse_axis_pattern(text));
}

TEST_CASE("check_pattern_letters: single letters on the left must be the letters of the axes") {
    STATIC_CHECK(check("nchw", "n c h w -> n h w c").ok());
    STATIC_CHECK(check("nchw", "n h w c -> n c h w") == verdict{reason::axis_is_named_otherwise, 1, 'c', 'h'});
    // Words, groups and an ellipsis are not compared; without names every pattern is accepted.
    STATIC_CHECK(check("nchw", "batch (g c) h w -> batch g c h w").ok());
    STATIC_CHECK(check("nchw", "n ... w -> w n ...").ok());
    STATIC_CHECK(check("nchw", "n ... h -> h n ...") == verdict{reason::axis_is_named_otherwise, 3, 'w', 'h'});
    STATIC_CHECK(check("", "n h w c -> n c h w").ok());
}

TEST_CASE("rearranged_letters: the letters of the right side, if each axis there has its own letter") {
    STATIC_CHECK(letters_of("nchw", "n c h w -> n h w c") == letter_list("nhwc"));
    STATIC_CHECK(letters_of("nchw", "n (g c) h w -> n g c h w") == letter_list("ngchw"));
    STATIC_CHECK(letters_of("nchw", "n c h w -> n (c h w)").empty());
    STATIC_CHECK(letters_of("nchw", "n ... -> ... n") == letter_list("chwn"));
}

}}  // namespace test_algebra_pattern_letters
