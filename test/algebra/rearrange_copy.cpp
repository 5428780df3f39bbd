#include <plait/algebra/rearrange_copy.hpp>

#include <plait/algebra/same_memory.hpp>

#include "support/pattern_cases.hpp"

namespace test_algebra_rearrange_copy {

using namespace plait;
using namespace plait::detail;

TEST_CASE("rearrange_copy: returns the pair of layouts to reorder if no view exists") {
    constexpr layout l({2, 17, 4, 4}, "nChw16c");
    STATIC_CHECK(rearrange_needs_copy<"n c h w -> n (c h w)">(l));
    STATIC_CHECK(!rearrange_needs_copy(l, "n c h w -> n h w c"));
    STATIC_CHECK(!rearrange_needs_copy(l, "n c h -> n h c"));
    constexpr rearranged_copy copy = rearrange_copy<"n c h w -> n (c h w)">(l);
    STATIC_CHECK(copy.from == l && copy.to == layout({2, 17, 4, 4}, "nchw") && copy.result == layout({2, 272}, "ab"));
    STATIC_CHECK(rearrange_copy(l, "n c h w -> (h w) c n").to == layout({2, 17, 4, 4}, "cdba"));
    STATIC_CHECK(rearrange_copy(layout({1, 1}, "aB4b"), "1 1 -> 1").result == layout({1}, "a"));
    STATIC_CHECK(check_rearrange_copy(layout({dynamic}, "a"), "a -> a") == verdict{reason::dim_is_dynamic, 0});
    STATIC_CHECK(check_rearrange_copy(l, "n (g c) h w -> n g c h w", {{"g", 4}}) ==
                 verdict{reason::extents_do_not_divide, 1, 17, 4, 1});
    STATIC_CHECK(try_rearrange_copy(l, "n c h w -> n h w c").has_value());
    STATIC_CHECK(check_rearrange_copy<"n c h w -> n h w c">(l).ok());
    CHECK((plait_test::refusal_of([&] { return rearrange_copy(l, "n -> n"); }) ==
           verdict{reason::rank_differs, -1, 1, 4}));
}

TEST_CASE("rearrange_copy: every element is at the place of einops' copy") {
    plait_test::random_source random(20261123);
    int count = 0;
    for (int round = 0; round < 2000; ++round) {
        const layout l = random.small_layout();
        const plait_test::pattern_case made = plait_test::random_pattern(random, l.dims);
        INFO(to_string(l), "  ", made.text);
        const axis_pattern pattern = *parse_axis_pattern(made.text);
        dims given;
        for (int i = 0; i < pattern.names.size(); ++i) given.push_back(made.extent_of(std::string(pattern.name(i))));
        const expected<rearranged_copy> copy = make_rearranged_copy(l, pattern, given);
        if (!copy) {
            // An empty axis cannot be in a group of several, and a layout has at least one axis.
            REQUIRE((l.volume() == 0 || made.result.empty()));
            continue;
        }
        ++count;
        REQUIRE(copy->from == l);
        REQUIRE(copy->to.dims == l.dims);
        REQUIRE(check_layout(copy->to).ok());
        REQUIRE(copy->result == layout(made.result, plain_tag(made.result.size())));
        made.for_each_element([&](const position& left, const position& right) {
            REQUIRE(copy->to.offset(left) == copy->result.offset(right));
        });
        const expected<layout> again = make_rearranged(copy->to, pattern, given);
        REQUIRE(again.has_value());
        REQUIRE(same_memory(*again, copy->result));
    }
    CHECK(count > 1800);
}

}  // namespace test_algebra_rearrange_copy
