#include <plait/algebra/pattern_parts.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_pattern_parts {

using namespace plait;
using namespace plait::detail;

TEST_CASE("pattern_parts: the parts of a pattern, in the order of the left side, and their places on the right side") {
    constexpr layout l({2, 3, 4, 12}, "abcd");
    constexpr axis_pattern p("n ... (g c) -> (g ...) c n 1");
    constexpr pattern_parts parts = *find_parts(l, p, {dynamic, 4, dynamic});
    STATIC_CHECK(parts.extents == dims{2, 3, 4, 4, 3});
    STATIC_CHECK(parts.order == permutation{3, 1, 2, 4, 0});
    STATIC_CHECK(parts.left.size() == 4 && parts.left[3].to_first == 3 && parts.left[3].to_last == 5);
    STATIC_CHECK(parts.right.size() == 4 && parts.right[0].size() == 3 && parts.right[3].size() == 0);
    STATIC_CHECK(*extents_of_result(parts) == dims{48, 3, 2, 1});
}

TEST_CASE("pattern_parts: extents by order, of all names in groups or of all but the last of each") {
    constexpr axis_pattern p("n (g c) h (a b d) (e) -> n g c h a b d e");
    STATIC_CHECK(*extents_by_order(p, {4, 2, 3}) == dims{dynamic, 4, dynamic, dynamic, 2, 3, dynamic, dynamic});
    STATIC_CHECK(*extents_by_order(p, {4, 8, 2, 3, 5}) == dims{dynamic, 4, 8, dynamic, 2, 3, 5, dynamic});
    STATIC_CHECK(extents_by_order(p, {4}).error() == verdict{reason::pattern_extents_do_not_match, -1, 1, 5, 3});
    STATIC_CHECK(extents_by_order(p, {}).error() == verdict{reason::pattern_extents_do_not_match, -1, 0, 5, 3});
    STATIC_CHECK(*extents_by_order(axis_pattern("a b -> b a"), {}) == dims{dynamic, dynamic});
    STATIC_CHECK(*extents_by_name(p, {{"b", 3}, {"n", 2}}) ==
                 dims{2, dynamic, dynamic, dynamic, dynamic, 3, dynamic, dynamic});
    STATIC_CHECK(extents_by_name(p, {{"b", 3}, {"x", 2}}).error() ==
                 verdict{reason::pattern_extent_is_not_of_an_axis, -1, 2, 2});
    STATIC_CHECK(extents_by_name(p, {{"b", 3}, {"b", 3}}).error() ==
                 verdict{reason::pattern_extent_is_not_of_an_axis, -1, 2, 3});
}

TEST_CASE("pattern_parts: groups whose extents do not make up an axis are refused") {
    constexpr layout l({2, 12}, "ab");
    constexpr axis_pattern p("n (g c) -> n g c");
    const auto why = [](const layout& x, const axis_pattern& pattern, const dims& given) {
        return find_parts(x, pattern, given).error();
    };
    STATIC_CHECK(why(l, p, {dynamic, 5, dynamic}) == verdict{reason::extents_do_not_divide, 1, 12, 5, 4});
    STATIC_CHECK(why(l, p, {dynamic, 0, dynamic}) == verdict{reason::extents_do_not_divide, 1, 12, 0, 1});
    STATIC_CHECK(why(l, p, {dynamic, 4, 4}) == verdict{reason::volumes_differ, 1, 12, 16});
    STATIC_CHECK(why(l, p, {3, 4, 3}) == verdict{reason::volumes_differ, 0, 2, 3});
    STATIC_CHECK(why(l, p, {dynamic, -4, dynamic}) == verdict{reason::dim_is_negative, 1, -4, 0});
    STATIC_CHECK(why(l, p, {dynamic, dynamic, dynamic}) == verdict{reason::pattern_extent_is_missing, -1, 3, 2});
    STATIC_CHECK(why(l, axis_pattern("n 1 -> n 1"), {dynamic}) == verdict{reason::volumes_differ, 1, 12, 1});
    STATIC_CHECK(why(l, axis_pattern("n -> n"), {dynamic}) == verdict{reason::rank_differs, -1, 1, 2});
    STATIC_CHECK(why(l, axis_pattern("a b c ... -> a b c ..."), {dynamic, dynamic, dynamic}) ==
                 verdict{reason::rank_differs, -1, 3, 2});
    constexpr layout open({dynamic, 12}, "ab");
    STATIC_CHECK(why(open, axis_pattern("(a b) c -> a b c"), {2, dynamic, dynamic}) ==
                 verdict{reason::dim_is_dynamic, 0, dynamic, 2});
    STATIC_CHECK(why(open, axis_pattern("a c -> c a"), {2, dynamic}) == verdict{reason::dim_is_dynamic, 0, dynamic, 2});
    constexpr layout wide({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4}, "abcdefghijkl");
    STATIC_CHECK(why(wide, axis_pattern("... (x y) -> ... x y"), {2, dynamic}) ==
                 verdict{reason::too_many_axes, -1, 13, 12});
}

}  // namespace test_algebra_pattern_parts
