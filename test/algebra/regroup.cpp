#include <plait/algebra/regroup.hpp>

#include "support/small_layouts.hpp"

namespace test_algebra_regroup { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr digits_taken digits_of(const layout& l, int first, int last, const regroup_rules& rules = {}) {
    return digits_of_group(l, {first, last, 0, 1}, rules);
}
constexpr digits_taken to_regroup(const layout& l, int first, int last, const regroup_rules& rules = {}) {
    return digits_to_regroup(l, {first, last, 0, 1}, rules);
}
constexpr bool is_one(const digits_taken& taken, const digit& d) {
    return taken.why.ok() && taken.digits.size() == 1 && taken.digits[0] == d;
}

constexpr regroup_rules through_blocks{.through_blocks = true};
constexpr regroup_rules any_order{.any_order = true};
constexpr regroup_rules match_padding{.match_padding = true};

TEST_CASE("regroup: the number over a group as digits, merged if two continue each other") {
    STATIC_CHECK(is_one(digits_of(layout({2, 3, 4}, "abc"), 0, 3), {0, 24, 1}));
    STATIC_CHECK(is_one(digits_of(layout({2, 3, 4}, "abc"), 0, 2), {0, 6, 4}));
    STATIC_CHECK(digits_of(layout({2, 3, 4}, "acb"), 1, 3).digits.size() == 2);
    STATIC_CHECK(is_one(digits_of(layout({16, 3}, "bA8a"), 0, 1, through_blocks), {0, 16, 1}));
    STATIC_CHECK(digits_of(layout({16, 3}, "Ab8a"), 0, 1, through_blocks).digits.size() == 2);
    // Axes of one element have no digits, at any position.
    STATIC_CHECK(is_one(digits_of(by_hand({2, 1, 3}, {2, 1, 3}, {3, 99, 1}), 0, 3), {0, 6, 1}));
    // Links work like strides.
    STATIC_CHECK(is_one(digits_of(layout({2, dynamic, 3}, "abc"), 0, 3), {1, dynamic, 1}));
    STATIC_CHECK(is_one(digits_of(layout({2, 3, dynamic}, "abc"), 0, 2), {1, 6, outside(2)}));
}

TEST_CASE("regroup: groups with blocks, padding or parts of a digit are refused") {
    STATIC_CHECK(digits_of(layout({16, 3}, "Ab8a"), 0, 2).why == verdict{reason::axis_is_blocked, 0, 8, 16});
    STATIC_CHECK(digits_of(layout({15, 3}, "Ab8a"), 0, 2, any_order).why == verdict{reason::axis_is_padded, 0, 16, 15});
    STATIC_CHECK(digits_of(layout({15, 3}, "Ab8a"), 0, 1, match_padding).why.ok());
    // Half a block of 16; but of two blocks of 4 with a gap between them, 6 elements are not whole digits.
    STATIC_CHECK(digits_of(by_hand({8, 3}, {8, 3}, {16, 16}, {{0, 16}}), 0, 2, through_blocks).digits.size() == 2);
    STATIC_CHECK(digits_of(by_hand({6, 2}, {6, 2}, {16, 16}, {{0, 2}, {1, 2}, {0, 4}}), 0, 2, through_blocks).why ==
                 verdict{reason::axis_is_padded, 0, 8, 6});
    STATIC_CHECK(digits_of(by_hand({4}, {4}, {1}, {}, {1}), 0, 1).why == verdict{reason::axis_is_padded, 0, 4, 4});
}

TEST_CASE("regroup: plain axes must form one digit, in their order or in any") {
    constexpr layout chain({2, 3, 4}, "abc"), turned({2, 3, 4}, "cab"), gaps({2, 3, 4}, strides{100, 5, 20});
    STATIC_CHECK(is_one(to_regroup(chain, 0, 3), {0, 24, 1}));
    STATIC_CHECK(to_regroup(turned, 0, 3).why == verdict{reason::joined_axes_do_not_chain, 0, 1, 24});
    STATIC_CHECK(is_one(to_regroup(turned, 0, 3, any_order), {2, 24, 1}));
    STATIC_CHECK(to_regroup(gaps, 0, 3, any_order).why.reason == reason::group_is_not_contiguous);
    STATIC_CHECK(to_regroup(turned, 0, 3, through_blocks).digits.size() == 2);
    STATIC_CHECK(to_regroup(layout({2, 3}, strides{dynamic, 1}), 0, 2).why == verdict{reason::stride_is_dynamic, 0});
}

TEST_CASE("regroup: a link follows axes of a single place") {
    constexpr layout l({2, 1, 3, dynamic}, "abcd");
    STATIC_CHECK(links_over(l, l.digits[2], 3));
    STATIC_CHECK(links_over(l, l.digits[0], 2));
    STATIC_CHECK(!links_over(l, l.digits[0], 3));
    STATIC_CHECK(!links_over(l, {0, 2, dynamic}, 1));
    STATIC_CHECK(!links_over(l, {0, 2, 5}, 1));
    // Through b, of one place, which links on to c; cycles end.
    layout through = l;
    through.digits[0].stride = outside(1);
    through.digits[1].stride = outside(2);
    CHECK(links_over(through, through.digits[0], 2));
    through.digits[1].stride = outside(1);
    CHECK(!links_over(through, through.digits[0], 2));
}

TEST_CASE("regroup: links are renumbered; if their axis is gone, they follow its link") {
    constexpr layout l({2, 1, 3, dynamic}, "abcd");
    constexpr auto renumbered = [](const layout& of, dim_t extent, dim_t stride, std::initializer_list<int> to,
                                   std::initializer_list<int> beside) {
        axis_links links;
        int a = 0;
        for (const int b : to) links.to[a++] = b;
        a = 0;
        for (const int b : beside) links.beside[a++] = b;
        return links.renumbered(of, {0, extent, stride});
    };
    STATIC_CHECK(renumbered(l, 2, 17, {0, 1, 2, 3}, {0, 1, 2, 3}) == 17);
    STATIC_CHECK(renumbered(l, 2, dynamic, {0, 1, 2, 3}, {0, 1, 2, 3}) == dynamic);
    STATIC_CHECK(renumbered(l, 2, outside(3), {2, 1, 0, 5}, {0, 1, 2, 3}) == outside(5));
    // Axis b is gone; it was outside c.
    STATIC_CHECK(renumbered(l, 2, outside(1), {0, -1, 1, 2}, {0, -1, 1, 2}) == outside(1));
    // Axis c is the inner part of something: unknown, but for a digit of one value.
    STATIC_CHECK(renumbered(l, 2, outside(2), {0, 1, -1, 2}, {0, 1, 1, 2}) == dynamic);
    STATIC_CHECK(renumbered(l, 1, outside(2), {0, 1, -1, 2}, {0, 1, 1, 2}) == outside(1));
}

TEST_CASE("regroup: new axes of one element are directly outside the axis on their right") {
    constexpr auto attached = [](layout l, unsigned axes) {
        attach_unit_axes(l, axes);
        return l;
    };
    STATIC_CHECK(attached(by_hand({1, 3, 1}, {1, 3, 1}, {0, 8, 0}, {{1, 4}}), 0b101).strides() == strides{8, 8, 4});
    STATIC_CHECK(attached(by_hand({1, 1, 6}, {1, 1, 6}, {0, 0, 5}), 0b11).strides() == strides{30, 30, 5});
    STATIC_CHECK(attached(by_hand({1, 0}, {1, 0}, {0, 7}), 0b1).strides() == strides{7, 7});
    STATIC_CHECK(attached(layout({1, dynamic}, "ab"), 0b1).digits[0].stride == outside(1));
    STATIC_CHECK(attached(layout({1, 1, dynamic}, "abc"), 0b1).digits[0].stride == outside(2));
    // Where that leaves the range, the neighbour's stride does.
    STATIC_CHECK(attached(by_hand({1, 4}, {1, 4}, {0, dim_t{1} << 62}), 0b1).strides()[0] == dim_t{1} << 62);
}

}}  // namespace test_algebra_regroup
