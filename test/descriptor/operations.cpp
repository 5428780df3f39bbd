#include <plait/algebra/operations.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/descriptor/operations.hpp>
#include <plait/layouts.hpp>

#include "support/static_check.hpp"

namespace test_descriptor_operations { namespace {

using namespace plait;

constexpr extra by_first = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr extra by_both = {
    .s8s8_compensation = true, .asymmetric_source_compensation = true, .s8s8_mask = 3, .asymmetric_source_mask = 1};

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

}}  // namespace test_descriptor_operations
