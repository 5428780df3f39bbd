#include <plait/contract/check_attributes.hpp>

#include "support/small_layouts.hpp"

#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/layout_reorder.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace test_contract_check_attributes { namespace {

using namespace plait;
using namespace plait::detail;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float three_scales[] = {1, 2, 3};

TEST_CASE("are_scales: false if one of the numbers is 0, infinite or NaN, wherever it is") {
    const float good[] = {1, -1, 1e-45f, -1e-45f, 3.4e38f, -3.4e38f, 0.5f, -2};
    const float bad[] = {0,
                         -0.0f,
                         infinity,
                         -infinity,
                         std::numeric_limits<float>::quiet_NaN(),
                         std::bit_cast<float>(0x7f800001),
                         std::bit_cast<float>(0xffffffffu)};
    for (dim_t count = 0; count <= 11; ++count) {
        std::vector<float> values;
        for (dim_t i = 0; i < count; ++i) values.push_back(good[i % 8]);
        CHECK(detail::are_scales(values.data(), count));
        for (float& value : values)
            for (const float x : bad) {
                const float before = std::exchange(value, x);
                CHECK_FALSE(detail::are_scales(values.data(), count));
                value = before;
            }
    }
}

TEST_CASE("check_reorder: refuses attributes that do not fit the extents or have invalid values") {
    constexpr layout l({2, 3}, "ab");
    const auto refused = [&](const reorder_attributes& a) { return check_reorder(l, l, a); };
    STATIC_CHECK(check_reorder(l, l, {.src_scale = {three_scales, 2}}).ok());
    CHECK(refused({.src_scale = {three_scales, 4}}) == verdict{reason::mask_is_out_of_range, -1, 4, 2});
    CHECK(refused({.dst_scale = {three_scales, 6}}) == verdict{reason::mask_is_out_of_range, -1, 6, 2});
    CHECK(refused({.src_zero_point = {{}, -1}}) == verdict{reason::mask_is_out_of_range, -1, -1, 2});
    CHECK(refused({.dst_zero_point = {{}, 1}}) == verdict{reason::mask_has_no_values, -1, 1, 2});
    CHECK(refused({.src_zero_point = {{}, 3}}) == verdict{reason::mask_has_no_values, -1, 3, 6});
    // The number of values must be the product of the extents of the mask's axes, or 1 if the mask has no axes.
    const std::vector<float> many(7, 1.0f);
    for (const int mask : {0, 1, 2, 3})
        for (std::size_t count = 0; count <= many.size(); ++count) {
            const dim_t wanted = mask_volume(l.dims, mask);
            const verdict expected =
                static_cast<dim_t>(count) == wanted
                    ? verdict{}
                    : verdict{reason::mask_has_other_values, -1, mask, wanted, static_cast<dim_t>(count)};
            const std::span<const float> values(many.data(), count);
            INFO("mask ", mask, ", ", count, " values");
            CHECK(refused({.src_scale = {values, mask}}) == expected);
            CHECK(refused({.dst_scale = {values, mask}}) == expected);
            const std::vector<std::int32_t> points(count);
            if (count != 0) CHECK(refused({.src_zero_point = {points, mask}}) == expected);
            if (count != 0) CHECK(refused({.dst_zero_point = {points, mask}}) == expected);
        }
    CHECK(refused({.src_scale = {{}, 0}}) == verdict{reason::mask_has_other_values, -1, 0, 1, 0});
    // A mask needs no values if its axes have no elements.
    CHECK(check_reorder(layout({2, 0}, "ab"), layout({2, 0}, "ba"), {.src_scale = {{}, 3}}).ok());
    CHECK(check_reorder(layout({2, 0}, "ab"), layout({2, 0}, "ba"), {.src_scale = {{}, 1}}).reason ==
          reason::mask_has_no_values);
    // To divide by 0, infinity or NaN is a mistake of the caller, and so is a beta of infinity or NaN. Values are
    // multiplied by the scales of the source: files have blocks whose scale is 0 or NaN.
    const auto invalid = [](float value, dim_t place, buffer_role role) {
        return verdict{reason::scale_is_invalid, -1, std::bit_cast<std::int32_t>(value), place,
                       static_cast<dim_t>(role)};
    };
    for (const float wrong : {0.0f, -0.0f, infinity, -infinity, std::nanf(""), -std::nanf("7")}) {
        CHECK(refused({.src_scale = wrong}).ok());
        CHECK(refused({.dst_scale = wrong}) == invalid(wrong, 0, buffer_role::destination));
        CHECK(refused({.dst_scale = {{&wrong, 1}, 0}}) == invalid(wrong, 0, buffer_role::destination));
        for (std::size_t place = 0; place < 3; ++place) {
            std::vector<float> values = {0.5f, -1, 2};
            values[place] = wrong;
            const auto at = static_cast<dim_t>(place);
            CHECK(refused({.src_scale = {values, 2}}).ok());
            CHECK(refused({.dst_scale = {values, 2}}) == invalid(wrong, at, buffer_role::destination));
        }
        if (wrong != 0)
            CHECK(refused({.beta = wrong}) ==
                  verdict{reason::beta_is_not_finite, -1, std::bit_cast<std::int32_t>(wrong)});
    }
    constexpr float largest = std::numeric_limits<float>::max(), smallest = std::numeric_limits<float>::denorm_min();
    for (const float right : {largest, -largest, smallest, -smallest, 1.0f, -0.5f})
        CHECK(refused({.src_scale = right, .dst_scale = right, .beta = right}).ok());
    CHECK(refused({.beta = -0.0f}).ok());
    STATIC_CHECK(check_reorder(layout({6}, "a"), layout({6}, "a"), {.dst_scale = infinity}).reason ==
                 reason::scale_is_invalid);
    const auto said = [](const verdict& why) { return std::string(describe(why).c_str()); };
    const std::vector<float> one_infinite{1, -infinity, 0};
    CHECK(said(refused({.dst_scale = {one_infinite, 2}})) ==
          "scale_is_invalid: value 1 of the destination's scales is -infinity, but the values are divided by it, so "
          "it must be finite and not 0; if all values of its channel are 0, a scale of 1 keeps them 0");
    CHECK(said(refused({.beta = std::nanf("")})).find("beta is NaN, ") != std::string::npos);
    CHECK(check_reorder(l, layout({3, 2}, "ab"), {.src_scale = 2.0f}).reason == reason::dims_differ);

    const std::vector<float> in(6, 1);
    std::vector<float> out(6, 7), same = out;
    const reorder_attributes outside = {.src_scale = {three_scales, 4}};
    const auto refusal = [](auto run) { return plait_test::refusal_of([&] { return run(), 0; }).reason; };
    CHECK(refusal([&] { reorder<l, l>(in.data(), out.data(), outside); }) == reason::mask_is_out_of_range);
    CHECK(refusal([&] { reorder(l, in.data(), l, out.data(), outside); }) == reason::mask_is_out_of_range);
    CHECK(refusal([&] { reference_reorder(l, in.data(), l, out.data(), outside); }) == reason::mask_is_out_of_range);
    static constexpr float with_zero[] = {1, 2, 0};
    const reorder_attributes zero = {.dst_scale = {with_zero, 2}};
    CHECK(refusal([&] { reorder<l, l>(in.data(), out.data(), zero); }) == reason::scale_is_invalid);
    CHECK(refusal([&] { reorder(l, in.data(), l, out.data(), zero); }) == reason::scale_is_invalid);
    CHECK(refusal([&] { reference_reorder(l, in.data(), l, out.data(), zero); }) == reason::scale_is_invalid);
    CHECK(make_reorder(descriptor(data_type::f32, l), descriptor(data_type::s8, l), zero).error().reason ==
          reason::scale_is_invalid);
    // If values are missing, no value is read.
    for (const reorder_attributes& few : {reorder_attributes{.src_scale = {std::span(three_scales).first(2), 2}},
                                          reorder_attributes{.src_scale = {std::span(three_scales).first(0), 0}}}) {
        CHECK(refusal([&] { reorder<l, l>(in.data(), out.data(), few); }) == reason::mask_has_other_values);
        CHECK(refusal([&] { reorder<l, l>(out.data(), out.data(), few); }) == reason::mask_has_other_values);
        CHECK(refusal([&] { reorder(l, in.data(), l, out.data(), few); }) == reason::mask_has_other_values);
        CHECK(refusal([&] { reference_reorder(l, in.data(), l, out.data(), few); }) == reason::mask_has_other_values);
    }
    CHECK(out == same);
    constexpr layout other({2, 3}, "ba");
    CHECK(refusal([&] { reorder<l, other>(out.data(), out.data(), {.beta = 1}); }) == reason::spans_overlap);
    CHECK(refusal([&] { reorder(l, out.data(), other, out.data(), {.beta = 1}); }) == reason::spans_overlap);
    // In place, elements that stay but change are refused too, because tiles may overlap.
    CHECK(refusal([&] { reorder<l, l>(out.data(), out.data(), {.src_scale = 2}); }) == reason::spans_overlap);
    CHECK(refusal([&] { reorder(l, out.data(), l, out.data(), {.src_scale = 2}); }) == reason::spans_overlap);
    const auto bits = reinterpret_cast<std::int32_t*>(out.data());
    CHECK(refusal([&] { reorder<l, l>(out.data(), bits); }) == reason::spans_overlap);
    CHECK(refusal([&] { reorder(l, out.data(), l, bits); }) == reason::spans_overlap);
    CHECK(out == same);
}

}}  // namespace test_contract_check_attributes
