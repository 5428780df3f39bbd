#include <plait/algebra/axis_map.hpp>
#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/tile.hpp>
#include <plait/algebra/view.hpp>
#include <plait/layouts.hpp>
#include "descriptor/lift_law.hpp"

#include <plait/descriptor/operations.hpp>

#include "laws/random_layouts.hpp"

namespace test_descriptor_operations {

using namespace plait;
using plait_test::refusal_of;

namespace {

constexpr extra by_first = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr extra by_both = {
    .s8s8_compensation = true, .asymmetric_source_compensation = true, .s8s8_mask = 3, .asymmetric_source_mask = 1};

}  // namespace

TEST_CASE("operations on descriptors: equal those on layouts, in all four forms") {
    plait_test::random_source random(11);
    int allowed = 0, refused = 0;
    for (int i = 0; i < 400; ++i) {
        const layout l = random.small_layout();
        if (!check_layout(l).ok()) continue;
        const int n = l.ndims(), axis = static_cast<int>(random.between(-1, n));
        const permutation p = random.order(n);
        dims to = l.dims, parts;
        std::swap(to[0], to[n - 1]);
        const dims all = {l.volume()};
        parts.push_back(random.between(1, 2));
        parts.push_back(l.dims[0] / parts[0]);
        axis_map have, need;
        for (int a = 0; a < n; ++a) {
            have.push_back(a);
            need.push_back(p[a]);
        }
        const int last = axis + 1;
        const reshape_flags flags = reshape_flags::allow_order_mismatch;
        const descriptor d(data_type::bf16, l);
        plait_test::tally both;
        PLAIT_LIFTS(both, permute_axes, d, p);
        PLAIT_LIFTS(both, rename_axes, d, p);
        PLAIT_LIFTS(both, adapt, d, have, need);
        PLAIT_LIFTS(both, reshape, d, to);
        PLAIT_LIFTS(both, reshape, d, all);
        PLAIT_LIFTS(both, view, d, all);
        PLAIT_LIFTS(both, extended_reshape, d, all, flags);
        PLAIT_LIFTS(both, split_axis, d, axis, parts);
        PLAIT_LIFTS(both, join_axes, d, axis, last);
        PLAIT_LIFTS(both, flatten, d, axis, last);
        PLAIT_LIFTS(both, flatten, d, axis);
        PLAIT_LIFTS(both, tile, d, parts);
        const expected<axis_pattern> pattern =
            parse_axis_pattern(i % 2 == 0 ? "(b a) ... -> ... a b" : "a ... -> (... a)");
        const std::vector<named_extent> said{{i % 2 == 0 ? "b" : "a", i % 2 == 0 ? parts[0] : l.dims[0]}};
        const named_extents extents(said.data(), said.size());
        PLAIT_LIFTS(both, rearrange, d, *pattern, extents);
        allowed += both.allowed;
        refused += both.refused;
    }
    CHECK(allowed > 500);
    CHECK(refused > 500);
}

TEST_CASE("operations on descriptors: refuse arguments that do not fit, and undefined or malformed layouts") {
    descriptor d(data_type::f32, layout({2, 17, 5, 4}, "nChw16c"));
    STATIC_CHECK(check_permute_axes(descriptor(data_type::f32, layout({2, 3}, "ab")), {0, 0}).reason ==
                 reason::not_a_permutation);
    STATIC_CHECK(check_rename_axes(descriptor(data_type::f32, layout({2, 3}, "ab")), {0, 2}).reason ==
                 reason::not_a_permutation);
    CHECK(refusal_of([&] { return rename_axes(d, {0, 1}); }).reason == reason::rank_differs);
    CHECK(refusal_of([&] { return reshape(d, {24}); }) == verdict{reason::volumes_differ, -1, 680, 24});
    CHECK(check_reshape(descriptor(), {24}).reason == reason::layout_is_undefined);
    CHECK(rearrange(d, "n (g c) h w -> n g h w c", {{"c", 17}}) ==
          descriptor(data_type::f32, rearrange(d.layout, "n (g c) h w -> n g h w c", {{"g", 1}})));
    CHECK(check_rearrange(d, "n c h w -> n h w c", {{"g", 4}}) ==
          verdict{reason::pattern_extent_is_not_of_an_axis, -1, 1, 4});
    CHECK(check_rearrange(d, "n c -> c n") == verdict{reason::rank_differs, -1, 2, 4});
    CHECK(check_flatten(descriptor()).status() == status::invalid_arguments);
    const descriptor any(data_type::f32, layout({2, 3}, format_tag("any")));
    CHECK(reshape(any, {3, 2}) == descriptor(data_type::f32, layout({3, 2}, format_tag("any"))));

    d.layout.digits[1].extent = 77;
    const verdict broken = check_descriptor(d);
    CHECK(broken.reason == reason::digits_do_not_cover_axis);
    CHECK(check_permute_axes(d, {0, 1, 2, 3}) == broken);
    CHECK(check_reshape(d, {680}) == broken);
    const descriptor before = d;
    CHECK(reshape(d, d, {680}) == status::invalid_arguments);
    CHECK(d == before);
    descriptor out;
    CHECK(permute_axes(out, d, {0, 1, 2, 3}) == status::invalid_arguments);
    CHECK(out == descriptor());
}

TEST_CASE("permute_axes of descriptors: masks follow their axes, and no sum moves") {
    constexpr descriptor d(data_type::s8, layout({2, 17, 23, 3}, "gOIw4i16o4i"), by_both);
    constexpr descriptor moved = permute_axes(d, {1, 3, 0, 2});  // g and o are axes 1 and 3
    STATIC_CHECK(moved.layout == permute_axes(d.layout, {1, 3, 0, 2}));
    STATIC_CHECK(moved.extra.s8s8_mask == (1 << 1 | 1 << 3));
    STATIC_CHECK(moved.extra.asymmetric_source_mask == 1 << 1);
    STATIC_CHECK(moved.s8s8_begin() == d.s8s8_begin());
    STATIC_CHECK(moved.s8s8_count() == 64);
    STATIC_CHECK(moved.size_in_bytes() == d.size_in_bytes());
    STATIC_CHECK(rename_axes(moved, {1, 3, 0, 2}) == d);
    STATIC_CHECK(adapt(d, {0, 1, 2, 3}, {0, 1, 3, 2}).extra == d.extra);

    // The sums are in the order of (g, o) in memory, no matter which of them is axis 0.
    constexpr descriptor swapped = permute_axes(d, {1, 0, 2, 3});
    STATIC_CHECK(swapped.extra.s8s8_mask == 3 && swapped.extra.asymmetric_source_mask == 2);
    STATIC_CHECK(compensation_layout(swapped.layout, 3) ==
                 permute_axes(compensation_layout(d.layout, 3), {1, 0, 2, 3}));
    STATIC_CHECK(rename_axes(swapped, {1, 0, 2, 3}) == d);
    // If both axes repeat one element, only the order of the axes determines which sums come first.
    const descriptor shared(data_type::s8, layout({3, 3, 2}, strides{0, 0, 1}), by_both);
    CHECK(check_permute_axes(shared, {1, 0, 2}) == verdict{reason::descriptor_has_extra});
    CHECK(check_rename_axes(shared, {1, 0, 2}) == verdict{reason::descriptor_has_extra});
    CHECK(check_permute_axes(shared, {1, 2, 0}).ok());
    STATIC_CHECK(permute_axes(descriptor(data_type::s8, layout({4, 5}, "ab"), {.scale_adjust = 0.5f}), {1, 0})
                     .extra.scale_adjust == 0.5f);
}

TEST_CASE("operations that regroup axes: refuse extra, but return any other refusal first") {
    const layout l({32, 16, 3, 3}, "ABcd16a4b");
    for (const extra& besides : {by_first, extra{.scale_adjust = 0.5f}}) {
        const descriptor d(data_type::s8, l, besides);
        const verdict has_extra{reason::descriptor_has_extra};
        CHECK(check_reshape(d, {32, 16, 9}) == has_extra);
        CHECK(check_reshape(d, {32, 16, 8}).reason == reason::volumes_differ);
        CHECK(check_view(d, {32, 16, 9}) == has_extra);
        CHECK(check_extended_reshape(d, {32, 16, 9}, reshape_flags::none) == has_extra);
        CHECK(check_split_axis(d, 2, {3, 1}) == has_extra);
        CHECK(check_join_axes(d, 2, 3) == has_extra);
        CHECK(check_flatten(d, 2) == has_extra);
        CHECK(check_tile(d, {16, 16, 3, 3}) == has_extra);
        CHECK(check_rearrange(d, "o i h w -> o i (h w)") == has_extra);
        descriptor out;
        CHECK(reshape(out, d, {32, 16, 9}) == status::invalid_arguments);
        CHECK(out == descriptor());
    }
}

}  // namespace test_descriptor_operations
