#include <plait/reorder/fuse_axes.hpp>

#include "support/static_check.hpp"

#include <span>

namespace test_reorder_fuse_axes {

using namespace plait;
using namespace plait::detail;

namespace {

constexpr axis_change no_change{false, false, {}, {2, 6}, {2, 6}};
constexpr axis_change rotation{true, false, {1, 2, 0}, {2, 3, 4}, {4, 2, 3}};  // axes a, b, c become c, a, b
constexpr axis_change split{false, true, {}, {2, 6}, {2, 2, 3}};
constexpr axis_change join{false, true, {}, {2, 6}, {12}};

constexpr verdict refused(reason why, dim_t number) { return {why, -1, number}; }

/// Checks the postcondition of find_axis_change, and that the inverse change leads back.
constexpr bool leads_from_to(const layout& written, const layout& read) {
    const expected<axis_change> change = find_axis_change(written, read);
    if (!change || change->from != written.dims || change->to != read.dims) return false;
    const expected<layout> there = change->carry(written), back = change->inverted().carry(read);
    return there && back && same_memory(*there, read) && same_memory(*back, written);
}

}  // namespace

TEST_CASE("find_axis_change: the same memory needs no change, whatever its description is") {
    constexpr auto unchanged = [](const layout& written, const layout& read) {
        const expected<axis_change> change = find_axis_change(written, read);
        return change && !change->permutes && !change->reshapes && leads_from_to(written, read);
    };
    STATIC_CHECK(unchanged(layout({2, 3}, "ab"), layout({2, 3}, "ab")));
    STATIC_CHECK(unchanged(layout({2, 16}, "aB16b"), layout({2, 16}, "ab")));
    STATIC_CHECK(unchanged(layout({2, 1}, "ab"), layout({2, 1}, "ba")));
    STATIC_CHECK(unchanged(layout({0, 3}, "ab"), layout({0, 3}, "ab")));
}

TEST_CASE("find_axis_change: finds the order of permuted axes") {
    constexpr auto order = [](const layout& written, const layout& read) {
        const expected<axis_change> change = find_axis_change(written, read);
        return change && change->permutes && !change->reshapes && leads_from_to(written, read) ? change->order
                                                                                               : permutation{};
    };
    STATIC_CHECK(order(layout({2, 3}, "ab"), layout({3, 2}, "ba")) == permutation{1, 0});
    STATIC_CHECK(order(layout({2, 3, 4}, "abc"), layout({4, 2, 3}, "bca")) == permutation{1, 2, 0});
    // 17 does not divide by 8: the axis keeps its padding.
    STATIC_CHECK(order(layout({17, 2}, "Ab8a"), layout({2, 17}, "Ba8b")) == permutation{1, 0});
    STATIC_CHECK(order(layout({8, 6}, "BA2b4a2b"), layout({6, 8}, "AB2a4b2a")) == permutation{1, 0});
}

TEST_CASE("find_axis_change: finds other extents over the same memory") {
    constexpr auto reshapes = [](const layout& written, const layout& read) {
        const expected<axis_change> change = find_axis_change(written, read);
        return change && !change->permutes && change->reshapes && leads_from_to(written, read);
    };
    STATIC_CHECK(reshapes(layout({2, 6}, "ab"), layout({12}, "a")));
    STATIC_CHECK(reshapes(layout({2, 6}, "ab"), layout({3, 4}, "ab")));
    STATIC_CHECK(reshapes(layout({2, 6}, "ba"), layout({2, 2, 3}, "bca")));
    STATIC_CHECK(reshapes(layout({1}, "a"), layout({1, 1}, "ab")));
}

TEST_CASE("find_axis_change: refuses other volumes and other places") {
    STATIC_CHECK(find_axis_change(layout({6}, "a"), layout({7}, "a")).error() ==
                 verdict{reason::volumes_differ, -1, 6, 7});
    STATIC_CHECK(find_axis_change(layout({2, 3}, "ab"), layout({2, 3}, "ba")).error() ==
                 verdict{reason::middle_layouts_differ, -1, 6, 6});
    // Rows that are 4 apart end at element 7.
    STATIC_CHECK(find_axis_change(layout({2, 3}, strides{4, 1}), layout({3, 2}, "ab")).error() ==
                 verdict{reason::middle_layouts_differ, -1, 7, 6});
    layout later({3, 2}, "ba");
    later.offset0 = 5;
    CHECK(find_axis_change(layout({2, 3}, "ab"), later).error().reason == reason::middle_layouts_differ);
}

TEST_CASE("is_same_axis: compares the extents, the offset in the padding, and every digit") {
    constexpr layout a({17, 8}, "Ab8a");  // rows of b are 8 apart, and blocks of a are 64 apart
    STATIC_CHECK(is_same_axis(a, 0, a, 0));
    STATIC_CHECK(is_same_axis(a, 0, layout({8, 17}, "Ba8b"), 1));
    STATIC_CHECK(!is_same_axis(a, 0, a, 1));
    STATIC_CHECK(!is_same_axis(a, 0, layout({18, 8}, "Ab8a"), 0));
    STATIC_CHECK(!is_same_axis(a, 0, layout({17, 8}, "Ab4a"), 0));
    STATIC_CHECK(!is_same_axis(a, 0, layout({17, 9}, "Ab8a"), 0));  // blocks of a are 72 apart
    layout later = a;
    later.padded_offsets[0] = 1;
    CHECK_FALSE(is_same_axis(a, 0, later, 0));
}

TEST_CASE("find_order: an axis takes the first axis that equals it") {
    STATIC_CHECK(find_order(layout({1, 3, 1}, "abc"), layout({3, 1, 1}, "abc")) == permutation{1, 0, 2});
    STATIC_CHECK(find_order(layout({0, 0}, "ab"), layout({0, 0}, "ab")) == permutation{0, 1});
    STATIC_CHECK(find_order(layout({2, 2}, "ba"), layout({2, 2}, "ab")) == permutation{1, 0});
    STATIC_CHECK(find_order(layout({2, 3}, "ab"), layout({2, 3, 1}, "abc")).error().reason ==
                 reason::middle_layouts_differ);
    STATIC_CHECK(find_order(layout({2, 3}, "ab"), layout({3, 2}, "ab")).error().reason ==
                 reason::middle_layouts_differ);
    // The outer digits are equal: 2 blocks, 16 elements apart. The inner ones are not.
    STATIC_CHECK(!find_order(layout({8, 8}, "AB4a4b"), layout({8, 8}, "AB2a4b2a")));
}

TEST_CASE("carry_mask: one value, and a mask over the same axes, stay as they are") {
    for (int mask = 0; mask < 4; ++mask) CHECK(carry_mask(no_change, mask) == mask);
    STATIC_CHECK(carry_mask(rotation, 0) == 0);
    STATIC_CHECK(carry_mask(split, 0) == 0);
}

TEST_CASE("carry_mask: bits follow their permuted axes, if the order of the values stays") {
    STATIC_CHECK(carry_mask(rotation, 1) == 2);
    STATIC_CHECK(carry_mask(rotation, 2) == 4);
    STATIC_CHECK(carry_mask(rotation, 4) == 1);
    STATIC_CHECK(carry_mask(rotation, 3) == 6);
    // Axis c was inside a and b, and is outside of them now.
    STATIC_CHECK(carry_mask(rotation, 5).error() == refused(reason::mask_is_not_carried, 5));
    STATIC_CHECK(carry_mask(rotation, 6).error() == refused(reason::mask_is_not_carried, 6));
    STATIC_CHECK(carry_mask(rotation, 7).error() == refused(reason::mask_is_not_carried, 7));
    STATIC_CHECK(carry_mask(rotation.inverted(), 6) == 3);
}

TEST_CASE("carry_mask: a reshape carries whole groups of axes") {
    STATIC_CHECK(carry_mask(split, 1) == 1);
    STATIC_CHECK(carry_mask(split, 2) == 6);
    STATIC_CHECK(carry_mask(split, 3) == 7);
    STATIC_CHECK(carry_mask(split.inverted(), 6) == 2);
    STATIC_CHECK(carry_mask(split.inverted(), 4).error() == refused(reason::mask_is_not_carried, 4));
    STATIC_CHECK(carry_mask(join, 3) == 1);
    STATIC_CHECK(carry_mask(join, 1).error() == refused(reason::mask_is_not_carried, 1));
    STATIC_CHECK(carry_mask(join, 2).error() == refused(reason::mask_is_not_carried, 2));
}

TEST_CASE("carry_mask: values by index over axes of one element need such an axis, because mask 0 means no index") {
    STATIC_CHECK(carry_mask({true, false, {1, 0}, {1, 6}, {6, 1}}, 1) == 2);
    STATIC_CHECK(carry_mask({false, true, {}, {1, 6}, {2, 3, 1}}, 1) == 4);
    STATIC_CHECK(carry_mask({false, true, {}, {1, 6}, {2, 3}}, 1).error() == refused(reason::mask_is_not_carried, 1));
    // An axis of one element changes nothing if the mask also has an axis of several elements.
    STATIC_CHECK(carry_mask({false, true, {}, {1, 6}, {6}}, 3) == 1);
}

TEST_CASE("carry_attributes: carries each mask and keeps the values; returns the first refusal") {
    static constexpr float scales[6] = {1, 2, 3, 4, 5, 6};
    static constexpr std::int32_t points[6] = {6, 5, 4, 3, 2, 1};
    constexpr reorder_attributes attributes{.src_scale = {std::span<const float>(scales, 2), 1},
                                            .dst_scale = {std::span<const float>(scales), 3},
                                            .src_zero_point = {std::span<const std::int32_t>(points, 3), 2},
                                            .dst_zero_point = {std::span<const std::int32_t>(points, 2), 1},
                                            .beta = 0.5f};
    reorder_attributes wanted = attributes;
    wanted.src_scale.mask = 2;
    wanted.dst_scale.mask = 6;
    wanted.src_zero_point.mask = 4;
    wanted.dst_zero_point.mask = 2;
    CHECK(carry_attributes(rotation, attributes) == wanted);
    reorder_attributes across = attributes;
    across.dst_scale.mask = 5;
    across.dst_zero_point.mask = 7;
    CHECK(carry_attributes(rotation, across).error() == refused(reason::mask_is_not_carried, 5));
}

}  // namespace test_reorder_fuse_axes
