#include <plait/algebra/regroup.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_axis_groups { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

struct expected_group {
    int first, last, to_first, to_last;
};

/// Checks that the groups are `expected`, from the last axis to the first.
constexpr bool grouped(const layout& l, const dims& to, std::initializer_list<expected_group> expected,
                       const regroup_rules& rules = {}) {
    axis_groups groups;
    if (!add_groups(groups, l, to, {0, l.ndims(), 0, to.size()}, rules).ok()) return false;
    if (groups.size() != static_cast<int>(expected.size())) return false;
    int k = 0;
    for (const expected_group& e : expected) {
        const axis_group& g = groups[k++];
        if (g.first != e.first || g.last != e.last || g.to_first != e.to_first || g.to_last != e.to_last) return false;
    }
    return true;
}

constexpr verdict refusal(const layout& l, const dims& to, const regroup_rules& rules = {}) {
    axis_groups groups;
    return add_groups(groups, l, to, {0, l.ndims(), 0, to.size()}, rules);
}

constexpr layout plain(const dims& extents) { return layout(extents, plain_tag(extents.size())); }

TEST_CASE("axis_groups: the groups are as small as possible, from the last axis to the first") {
    STATIC_CHECK(grouped(plain({2, 3, 4, 5}), {6, 2, 2, 5}, {{3, 4, 3, 4}, {2, 3, 1, 3}, {0, 2, 0, 1}}));
    STATIC_CHECK(grouped(plain({2, 3, 4, 5}), {6, 2, 10}, {{2, 4, 1, 3}, {0, 2, 0, 1}}));
    STATIC_CHECK(grouped(plain({2, 3}), {2, 3}, {{1, 2, 1, 2}, {0, 1, 0, 1}}));
    STATIC_CHECK(grouped(plain({4, 6}), {6, 4}, {{0, 2, 0, 2}}));
    STATIC_CHECK(grouped(plain({24}), {2, 3, 4}, {{0, 1, 0, 3}}));
}

TEST_CASE("axis_groups: an axis of one element is a group of its own") {
    STATIC_CHECK(grouped(plain({2, 1, 3}), {2, 3}, {{2, 3, 1, 2}, {1, 2, 1, 1}, {0, 1, 0, 1}}));
    STATIC_CHECK(grouped(plain({2, 3}), {1, 2, 1, 3, 1},
                         {{2, 2, 4, 5}, {1, 2, 3, 4}, {1, 1, 2, 3}, {0, 1, 1, 2}, {0, 0, 0, 1}}));
    // One is removed and another one is added; they are not matched.
    STATIC_CHECK(grouped(plain({1}), {1}, {{0, 1, 1, 1}, {0, 0, 0, 1}}));
    // Inside a group it belongs to the group.
    STATIC_CHECK(grouped(plain({2, 1, 3}), {6}, {{0, 3, 0, 1}}));
    STATIC_CHECK(grouped(plain({6}), {2, 1, 3}, {{0, 1, 0, 3}}));
}

TEST_CASE("axis_groups: an axis of one element with padding or a block stays, at the nearest position for one") {
    constexpr layout l({2, 1, 3}, "aBc4b");
    STATIC_CHECK(grouped(l, {2, 1, 3}, {{2, 3, 2, 3}, {1, 2, 1, 2}, {0, 1, 0, 1}}));
    STATIC_CHECK(grouped(l, {1, 2, 1, 1, 3}, {{2, 3, 4, 5}, {1, 2, 3, 4}, {1, 1, 2, 3}, {0, 1, 1, 2}, {0, 0, 0, 1}}));
    STATIC_CHECK(refusal(l, {2, 3}) == verdict{reason::unit_axis_is_padded, 1, 4, 4});
    STATIC_CHECK(refusal(l, {1, 2, 3}) == verdict{reason::unit_axis_is_padded, 1, 4, 4});
    STATIC_CHECK(refusal(l, {6}) == verdict{reason::unit_axis_is_padded, 1, 4, 4});
    // A part of one block: one element and one place, but of a block.
    constexpr layout part = by_hand({2, 1}, {2, 1}, {8, 8}, {{1, 8}});
    STATIC_CHECK(refusal(part, {2}) == verdict{reason::unit_axis_is_padded, 1, 1, 8});
    // Rules that look through blocks may remove it, also inside a group, if there is no position for it.
    STATIC_CHECK(grouped(part, {2}, {{1, 2, 1, 1}, {0, 1, 0, 1}}, {.through_blocks = true}));
    STATIC_CHECK(grouped(part, {2, 1}, {{1, 2, 1, 2}, {0, 1, 0, 1}}, {.through_blocks = true}));
    STATIC_CHECK(
        grouped(by_hand({2, 1, 3}, {2, 1, 3}, {24, 24, 8}, {{1, 8}}), {6}, {{0, 3, 0, 1}}, {.any_order = true}));
    // If there is one position and another axis of one element has padding, that axis gets it.
    constexpr layout both = by_hand({1, 1, 3}, {4, 1, 3}, {24, 24, 8}, {{1, 2}, {0, 4}});
    STATIC_CHECK(grouped(both, {1, 3}, {{2, 3, 1, 2}, {1, 2, 1, 1}, {0, 1, 0, 1}}, {.through_blocks = true}));
    STATIC_CHECK(grouped(both, {1, 1, 3}, {{2, 3, 2, 3}, {1, 2, 1, 2}, {0, 1, 0, 1}}, {.through_blocks = true}));
    STATIC_CHECK(refusal(both, {1, 3}) == verdict{reason::unit_axis_is_padded, 0, 4, 4});
    STATIC_CHECK(refusal(l, {6}, {.through_blocks = true}) == verdict{reason::unit_axis_is_padded, 1, 4, 4});
}

TEST_CASE("axis_groups: dynamic extents are matched with dynamic ones, zeros with zeros") {
    STATIC_CHECK(grouped(plain({2, dynamic, 6}), {2, dynamic, 3, 2}, {{2, 3, 2, 4}, {1, 2, 1, 2}, {0, 1, 0, 1}}));
    STATIC_CHECK(grouped(plain({2, 0, 6}), {2, 0, 3, 2}, {{2, 3, 2, 4}, {1, 2, 1, 2}, {0, 1, 0, 1}}));
    STATIC_CHECK(refusal(plain({dynamic, 6}), {6, dynamic}) == verdict{reason::dim_is_dynamic, 1, 6, dynamic});
    STATIC_CHECK(refusal(plain({6, dynamic}), {dynamic, 6}) == verdict{reason::dim_is_dynamic, 1, dynamic, 6});
    STATIC_CHECK(refusal(plain({dynamic, 6}), {6}) == verdict{reason::dim_is_dynamic, 0, dynamic, 1});
    STATIC_CHECK(refusal(plain({6}), {dynamic, 6}) == verdict{reason::dim_is_dynamic, 0, 1, dynamic});
    STATIC_CHECK(refusal(plain({2, 0}), {0, 2}) == verdict{reason::zero_extent_is_not_matched, 1, 0, 2});
    STATIC_CHECK(refusal(plain({2, 0}), {5, 0}) == verdict{reason::volumes_differ, -1, 2, 5});
    STATIC_CHECK(refusal(plain({0, 4}), {0}) == verdict{reason::zero_extent_is_not_matched, 1, 4, 0});
}

TEST_CASE("axis_groups: if the products never agree, the refusal has both") {
    STATIC_CHECK(refusal(plain({2, 3}), {2, 2}) == verdict{reason::volumes_differ, -1, 6, 4});
    STATIC_CHECK(refusal(plain({2, 3}), {3}) == verdict{reason::volumes_differ, -1, 2, 1});
    STATIC_CHECK(refusal(plain({3}), {2, 3}) == verdict{reason::volumes_differ, -1, 1, 2});
    // 3 * 2^61 against 2^62 * 2: the next factor leaves the range.
    STATIC_CHECK(refusal(plain({3, dim_t{1} << 61}), {2, 3, dim_t{1} << 60}).ok());
    STATIC_CHECK(refusal(by_hand({9, INT64_MAX}, {9, INT64_MAX}, {0, 0}), {10, INT64_MAX - 1}).reason ==
                 reason::size_overflows);
}

TEST_CASE("axis_groups: if padding is matched, a changed group counts it") {
    constexpr layout l({2, 3, 5}, "aBc4b");
    STATIC_CHECK(grouped(l, {2, 20}, {{1, 3, 1, 2}, {0, 1, 0, 1}}, {.match_padding = true}));
    STATIC_CHECK(grouped(l, {2, 4, 5}, {{2, 3, 2, 3}, {1, 2, 1, 2}, {0, 1, 0, 1}}, {.match_padding = true}));
    STATIC_CHECK(grouped(l, {2, 3, 5}, {{2, 3, 2, 3}, {1, 2, 1, 2}, {0, 1, 0, 1}}, {.match_padding = true}));
    STATIC_CHECK(refusal(l, {2, 15}, {.match_padding = true}) == verdict{reason::volumes_differ, -1, 40, 30});
    STATIC_CHECK(grouped(layout({2, 1}, "aB4b"), {2, 4}, {{1, 2, 1, 2}, {0, 1, 0, 1}}, {.match_padding = true}));
}

TEST_CASE("axis_groups: only the axes of the range are grouped") {
    axis_groups groups;
    CHECK(add_groups(groups, plain({2, 3, 4}), {2, 12}, {1, 3, 1, 2}, {}).ok());
    REQUIRE(groups.size() == 1);
    CHECK((groups[0].first == 1 && groups[0].last == 3 && groups[0].to_first == 1 && groups[0].to_last == 2));
}

}}  // namespace test_algebra_axis_groups
