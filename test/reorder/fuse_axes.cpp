#include <plait/reorder/fuse_axes.hpp>

#include "support/static_check.hpp"

#include <span>

namespace test_reorder_fuse_axes { namespace {

using namespace plait;
using namespace plait::detail;

constexpr axis_change rotation{true, false, {1, 2, 0}, {2, 3, 4}, {4, 2, 3}};  // axes a, b, c become c, a, b

constexpr verdict refused(reason why, dim_t number) { return {why, -1, number}; }

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

}}  // namespace test_reorder_fuse_axes
