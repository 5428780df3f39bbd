#include <plait/contract/check_descriptor_reorder.hpp>

#include "support/small_layouts.hpp"

#include <plait/algebra/submemory.hpp>

namespace test_contract_check_descriptor_reorder { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::by_hand;

constexpr extra s8s8 = {.s8s8_compensation = true, .s8s8_mask = 1};
constexpr layout rows({5, 6}, "ab");
constexpr descriptor weights(data_type::f32, rows);

TEST_CASE("check_reorder of descriptors: types and layouts may differ, dims may not") {
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::s8, layout({5, 6}, "BA4a2b"))).ok());
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::s8, layout({5, 6}, "BA4a2b"), s8s8)).ok());
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::s8, rows, {.scale_adjust = 0.5f})).ok());
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::s8, layout({5, 7}, "ab"))) ==
                 verdict{reason::dims_differ, 1, 6, 7});
    STATIC_CHECK(check_reorder(weights, descriptor()).reason == reason::layout_is_undefined);
    STATIC_CHECK(check_reorder(descriptor(), weights).reason == reason::layout_is_undefined);
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::s8, layout({5, 6}, format_tag("any")))).reason ==
                 reason::layout_is_any);
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::s8, layout({dynamic, 6}, "ab"))).reason ==
                 reason::dim_is_dynamic);
    STATIC_CHECK(check_reorder(weights, descriptor(data_type::f32, layout({5, 6}, strides{0, 1}))) ==
                 verdict{reason::destination_is_not_injective, 0, 5, 0});
}

TEST_CASE("check_reorder of descriptors: refuses attributes that do not fit the extents") {
    const float scales[6] = {1, 2, 1, 2, 1, 2};
    CHECK(check_reorder(weights, weights, {.src_scale = {scales, 2}}).ok());
    CHECK(check_reorder(weights, weights, {.src_scale = {scales, 4}}) ==
          verdict{reason::mask_is_out_of_range, -1, 4, 2});
    CHECK(check_reorder(weights, weights, {.src_scale = {{}, 2}}) == verdict{reason::mask_has_no_values, -1, 2, 6});
}

TEST_CASE("check_reorder of descriptors: refuses invalid descriptors that are put together by hand") {
    descriptor broken = weights;
    broken.type = data_type::undef;
    CHECK(check_reorder(weights, broken).reason == reason::data_type_is_unknown);
    CHECK(check_reorder(broken, weights).reason == reason::data_type_is_unknown);
    broken = weights;
    broken.extra.scale_adjust = 0;
    CHECK(check_reorder(weights, broken).reason == reason::scale_adjust_is_invalid);
    broken = weights;
    broken.layout.padded_dims[0] = 4;
    CHECK(check_reorder(broken, weights).reason == reason::padded_dim_does_not_fit);
}

TEST_CASE("check_dynamic_reorder: known extents must agree, dynamic ones may") {
    constexpr descriptor open(data_type::f32, layout({dynamic, 6}, "ab"));
    STATIC_CHECK(check_dynamic_reorder(weights, open).ok());
    STATIC_CHECK(check_dynamic_reorder(open, weights).ok());
    STATIC_CHECK(check_dynamic_reorder(open, descriptor(data_type::f32, layout({dynamic, 7}, "ab"))) ==
                 verdict{reason::dims_differ, 1, 6, 7});
    STATIC_CHECK(check_dynamic_reorder(open, descriptor(data_type::f32, layout({6}, "a"))) ==
                 verdict{reason::rank_differs, -1, 2, 1});
    STATIC_CHECK(check_dynamic_reorder(open, descriptor()).reason == reason::layout_is_undefined);
    STATIC_CHECK(check_dynamic_reorder(descriptor(data_type::f32, layout({5, 6}, "any")), open).reason ==
                 reason::layout_is_any);
    STATIC_CHECK(check_dynamic_reorder(descriptor(data_type::s8, layout({dynamic, 6}, "ab"), s8s8), weights) ==
                 verdict{reason::descriptor_has_extra});
    const float scales[6] = {1, 2, 1, 2, 1, 2};
    // The number of values is compared with the extent of the axis on the side that knows it.
    CHECK(check_dynamic_reorder(open, open, {.src_scale = {scales, 1}}).ok());
    CHECK(check_dynamic_reorder(open, weights, {.src_scale = {scales, 1}}) ==
          verdict{reason::mask_has_other_values, -1, 1, 5, 6});
    CHECK(check_dynamic_reorder(open, open, {.src_scale = {scales, 2}}).ok());
    CHECK(check_dynamic_reorder(open, open, {.src_scale = {scales, 4}}) ==
          verdict{reason::mask_is_out_of_range, -1, 4, 2});
}

TEST_CASE("check_reorder of descriptors: a source must not have extra") {
    const descriptor from(data_type::s8, rows, s8s8), adjusted(data_type::s8, rows, {.scale_adjust = 0.5f});
    CHECK(check_reorder(from, weights) == verdict{reason::descriptor_has_extra});
    CHECK(check_reorder(from, from) == verdict{reason::descriptor_has_extra});
    CHECK(check_reorder(adjusted, weights) == verdict{reason::descriptor_has_extra});
}

TEST_CASE("check_reorder of descriptors: compensation needs dense data that begins at its padding") {
    const descriptor gaps(data_type::s8, layout({5, 6}, strides{8, 1}), s8s8);
    CHECK(check_reorder(weights, gaps) == verdict{reason::layout_is_not_dense, -1, 6, 37});
    const descriptor in_front(data_type::s8, by_hand({5, 6}, {8, 6}, {6, 1}, {}, {2, 0}), s8s8);
    CHECK(check_reorder(weights, in_front) == verdict{reason::padded_dim_does_not_fit, 0, 8, 2});
    // scale_adjust needs no memory.
    CHECK(check_reorder(weights, {data_type::s8, layout({5, 6}, strides{8, 1}), {.scale_adjust = 0.5f}}).ok());
    // The first rows of a larger tensor are dense, so they are accepted. The check cannot detect that the compensation
    // is written over the next row.
    CHECK(check_reorder(weights, {data_type::s8, submemory(layout({9, 6}, "ab"), {5, 6}, {0, 0}), s8s8}).ok());
}

}}  // namespace test_contract_check_descriptor_reorder
