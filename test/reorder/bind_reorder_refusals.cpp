// Refusals of reorders with dynamic extents, by make_reorder and by bind.

#include <plait/reorder/make_reorder.hpp>

#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <string_view>
#include <vector>

namespace test_reorder_bind_reorder_refusals { namespace {

using namespace plait;

descriptor f32_of(const layout& l) { return {data_type::f32, l}; }

TEST_CASE("bind: every refusal names the difference, and keeps the earlier binding") {
    const layout rows({dynamic, 3}, "ab"), blocks({dynamic, 3}, "Ab4a");
    auto planned = make_reorder(f32_of(rows), f32_of(blocks));
    REQUIRE(planned.has_value());
    const descriptor src = f32_of(layout({2, 3}, "ab")), dst = f32_of(layout({2, 3}, "Ab4a"));
    std::vector<float> in{1, 2, 3, 4, 5, 6}, out(12, 7.0f);
    const std::vector<float> untouched = out;
    CHECK(planned->attempt(in.data(), out.data()).error() == verdict{reason::dim_is_dynamic, 0});
    REQUIRE(planned->bind(src, dst) == status::success);
    const auto refused = [&](const descriptor& from, const descriptor& to, const verdict& why) {
        CHECK(planned->attempt(from, in.data(), to, out.data()).error() == why);
        CHECK(plait_test::refusal_of([&] { return (*planned)(from, in.data(), to, out.data()); }) == why);
        CHECK(out == untouched);
        CHECK(planned->times_planned() == 1);
    };
    const auto part = [](descriptor_part which) { return static_cast<dim_t>(which); };
    refused(src, f32_of(layout({3, 3}, "Ab4a")), {reason::dims_differ, 0, 2, 3});
    refused(f32_of(layout({2, 4}, "ab")), dst, {reason::dims_differ, 1, 4, 3});
    refused(f32_of(layout({2, 3, 1}, "abc")), dst, {reason::rank_differs, -1, 3, 2});
    refused({data_type::s32, src.layout}, dst, {reason::data_types_differ, -1, 7, 2});
    refused(f32_of(rows), dst, {reason::dim_is_dynamic, 0});
    refused(descriptor{}, dst, {reason::layout_is_undefined});
    refused(src, f32_of(layout({2, 3}, "any")), {reason::layout_is_any});
    refused(f32_of(layout({2, 3}, strides{5, 1})), dst,
            {reason::bound_descriptor_differs, 0, 5, 3, part(descriptor_part::stride)});
    refused(src, f32_of(layout({2, 3}, "Ab8a")),
            {reason::bound_descriptor_differs, 0, 8, 4, part(descriptor_part::inner_block)});
    refused(src, f32_of(layout({2, 3}, "ab")),
            {reason::bound_descriptor_differs, -1, 0, 1, part(descriptor_part::inner_blocks)});
    refused(src, f32_of(layout({2, 3}, "aB4b")),
            {reason::bound_descriptor_differs, -1, 1, 0, part(descriptor_part::inner_axis)});
    descriptor further = dst;
    further.layout.padded_dims[0] = 8;
    further.layout.digits[0].extent = 2;
    refused(src, further, {reason::bound_descriptor_differs, 0, 8, 4, part(descriptor_part::padded_extent)});
    descriptor later = f32_of(layout({2, 3}, "ab"));
    later.layout.dims[0] = 1;
    later.layout.padded_offsets[0] = 1;
    refused(later, f32_of(layout({1, 3}, "Ab4a")),
            {reason::bound_descriptor_differs, 0, 2, 1, part(descriptor_part::padded_extent)});
    const std::vector<float> three(3, 2.0f);
    CHECK(planned->bind(src, dst, {.src_scale = {three, 1 << 0}}) ==
          verdict{reason::mask_has_other_values, -1, 1, 2, 3});
    CHECK(planned->bind({2}) == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(planned->bind({2, 4}) == verdict{reason::dims_differ, 1, 4, 3});
    CHECK(planned->bind({dynamic, 3}) == verdict{reason::dim_is_dynamic, 0});
    CHECK(planned->bind({-2, 3}) == verdict{reason::dim_is_negative, 0, -2, 0});
    CHECK(planned->bind({INT64_MAX, 3}).reason == reason::size_overflows);
    CHECK(std::string_view(
              describe({reason::bound_descriptor_differs, 0, 5, 3, part(descriptor_part::stride)}).c_str()) ==
          "bound_descriptor_differs: the stride of axis 0 is 5 in the bound descriptor, but 3 where the extents are "
          "filled into the dynamic one");
    // The earlier binding is still in use.
    CHECK((*planned)(in.data(), out.data()) == status::success);
    CHECK(out == std::vector<float>{1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0});
}

TEST_CASE("make_reorder: with dynamic extents, the static ones are checked at once") {
    const descriptor rows = f32_of(layout({dynamic, 3}, "ab"));
    CHECK(make_reorder(rows, f32_of(layout({dynamic, 4}, "ba"))).error() == verdict{reason::dims_differ, 1, 3, 4});
    CHECK(make_reorder(rows, f32_of(layout({dynamic}, "a"))).error() == verdict{reason::rank_differs, -1, 2, 1});
    CHECK(make_reorder(rows, f32_of(layout({2, 3}, "any"))).error() == verdict{reason::layout_is_any});
    CHECK(make_reorder(rows, rows, {.src_scale = {{}, 1 << 2}}).error() ==
          verdict{reason::mask_is_out_of_range, -1, 4, 2});
    const std::vector<float> two(2, 1.0f);
    CHECK(make_reorder(rows, rows, {.src_scale = {two, 1 << 1}}).error() ==
          verdict{reason::mask_has_other_values, -1, 2, 3, 2});
    descriptor weights(data_type::s8, layout({dynamic, 3}, "ab"), {.s8s8_compensation = true, .s8s8_mask = 1});
    CHECK(make_reorder(weights, rows).error() == verdict{reason::descriptor_has_extra});
    auto quantised = make_reorder(rows, weights);
    REQUIRE(quantised.has_value());
    const descriptor src = f32_of(layout({2, 3}, "ab"));
    CHECK(quantised->bind(src, {data_type::s8, layout({2, 3}, "ab")}) ==
          verdict{reason::compensation_is_missing, -1, 0, 1});
    CHECK(quantised->bind(src, {data_type::s8, layout({2, 3}, "ab"), {.s8s8_compensation = true}}) ==
          verdict{reason::compensation_mask_differs, -1, 0, 1, 1});
    CHECK(quantised->bind({2, 3}) == status::success);
    // If an extent is dynamic on one side only, it must equal that of the other side.
    auto partly = make_reorder(rows, f32_of(layout({2, dynamic}, "ba")));
    REQUIRE(partly.has_value());
    CHECK(partly->bind({3, 3}) == verdict{reason::dims_differ, 0, 3, 2});
    CHECK(partly->bind({2, 3}) == status::success);
    // A reorder without dynamic extents cannot be bound.
    auto known = make_reorder(src, src);
    CHECK_FALSE(known->is_dynamic());
    CHECK(known->bind({2, 3}) == verdict{reason::bound_values_do_not_match, -1, 2, 0});
    CHECK(known->bind(src, src) == verdict{reason::bound_values_do_not_match, -1, 2, 0});
    CHECK(planned_reorder().bind({2, 3}) == verdict{reason::reorder_is_not_planned});
    // The one-shot form cannot be bound, so it refuses dynamic extents.
    float x = 7;
    CHECK(try_reorder(rows, &x, rows, &x).error() == verdict{reason::dim_is_dynamic, 0});
}

}}  // namespace test_reorder_bind_reorder_refusals
