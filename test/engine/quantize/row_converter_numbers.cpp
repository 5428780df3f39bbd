// Rows of values: the function that converts them, and the bits of the result.

#include "engine/quantize/cache_block_nodes.hpp"
#include "engine/quantize/plain_row_functions.hpp"

#include <plait/engine/quantize/row_converter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

namespace test_engine_quantize_row_converter_numbers {

using namespace plait;
using namespace plait::engine;
using plait_test::bytes;
using plait_test::calls;
using plait_test::conversion_with;
using plait_test::no_node;
using plait_test::no_steps;
using plait_test::node_of;

namespace {

constexpr data_type f32 = data_type::f32, f64 = data_type::f64, s8 = data_type::s8;
constexpr place_of_rows nowhere{no_steps, &no_node, 0, no_steps};

/// Five attributes of every kind, for the elements of a row of five.
constexpr dim_t five = 5;
constexpr float source_scales[five] = {0.1f, 3, -7, 1.0e-3f, 1}, destination_scales[five] = {3, 0.7f, -49, 1.0e5f, 1};
constexpr std::int32_t source_points[five] = {0, 16777217, -3, INT32_MIN, INT32_MAX},
                       destination_points[five] = {0, -1, 100, INT32_MAX, INT32_MIN};

/// Checks the bits of a row of five elements against convert_with, with attributes of each element and with those of
/// one element for all.
template <class T, class U>
void agrees_with_convert_with(const std::array<T, five>& in, const std::array<U, five>& old, float adjust) {
    using number = detail::arithmetic_type<T, U>;
    for (const float beta : {0.0f, 0.3f})
        for (int one = -1; one < five; ++one) {  // -1: each element has its own attributes
            CAPTURE(beta);
            CAPTURE(one);
            reorder_attributes attributes{
                .src_scale = {source_scales, 1},
                .dst_scale = {destination_scales, 1},
                .src_zero_point = {source_points, 1},
                .dst_zero_point = {destination_points, 1},
                .beta = beta,
            };
            if (one >= 0)
                attributes = {.src_scale = source_scales[one],
                              .dst_scale = destination_scales[one],
                              .src_zero_point = source_points[one],
                              .dst_zero_point = destination_points[one],
                              .beta = beta};
            const value_conversion conversion =
                conversion_with<number>(data_type_of<T>, data_type_of<U>, attributes, adjust);
            row_converter<number> convert(conversion);
            cache_block_node node = node_of(0, five, 1, 1, 1);
            for (dim_t& step : node.value_steps) step = 1;
            std::array<U, five> found = old, wanted = old;
            convert(bytes(in.data()), bytes(found.data()), {.count = five}, {no_steps, &node, 1, no_steps});
            for (std::size_t i = 0; i < five; ++i) {
                const std::size_t k = one < 0 ? i : static_cast<std::size_t>(one);
                wanted[i] = convert_with<U>(in[i], old[i],
                                            {detail::rounded(source_scales[k] * adjust), destination_scales[k],
                                             source_points[k], destination_points[k], beta});
            }
            CHECK(std::memcmp(found.data(), wanted.data(), sizeof(found)) == 0);
        }
}

}  // namespace

TEST_CASE("row_converter: each element has the bits of convert_with") {
    for (const float adjust : {1.0f, 0.3f}) {
        CAPTURE(adjust);
        agrees_with_convert_with<float, float>({1.1f, -0.0f, 1.0e10f, 77, -3.3f}, {5, -0.0f, 1.0e-3f, 2, 9}, adjust);
        agrees_with_convert_with<std::int32_t, std::int8_t>({1, INT32_MIN, 16777217, INT32_MAX, -9}, {5, -128, 127},
                                                            adjust);
        agrees_with_convert_with<std::uint8_t, std::int32_t>({1, 255, 0, 128, 9}, {5, INT32_MIN, INT32_MAX}, adjust);
        agrees_with_convert_with<double, double>({1.1, -0.0, 1.0e100, 77, -3.3}, {5, -0.0, 1.0e-3, 2, 9}, adjust);
        agrees_with_convert_with<float, double>({1.1f, -0.0f, 1.0e10f, 77, -3.3f}, {0.1, 2, -0.0}, adjust);
        agrees_with_convert_with<double, std::int8_t>({1.1, -0.0, 1.0e100, 77, -3.3}, {5, -128, 127}, adjust);
    }
}

TEST_CASE("row_converter: scales are divided by, and adjusted, in the precision of the rows") {
    // 1 / 3 of f64 is not 1 / 3 of f32, and 0.1 * 0.3 is rounded to f32 even for rows of f64.
    const value_conversion divided = conversion_with<double>(f64, f64, {.dst_scale = 3.0f});
    const value_conversion adjusted = conversion_with<double>(f64, f64, {.src_scale = 0.1f}, 0.3f);
    const double in = 1;
    double out = 0;
    row_converter<double>{divided}(bytes(&in), bytes(&out), {.count = 1}, nowhere);
    CHECK(out == 1.0 / 3.0);
    row_converter<double>{adjusted}(bytes(&in), bytes(&out), {.count = 1}, nowhere);
    const float product = detail::rounded(0.1f * 0.3f);
    CHECK(out == static_cast<double>(product));
}

TEST_CASE("row_converter: a zero point of 0 in an array does not change the sign of a zero") {
    const std::int32_t zero_points[] = {0, 4};
    const value_conversion conversion = conversion_with(f32, f32, {.dst_zero_point = {zero_points, 1}});
    row_converter<float> convert(conversion);
    cache_block_node node = node_of(0, 2, 1, 1, 1);
    node.value_steps[dst_zero_points] = 1;
    const float in[] = {-0.0f, -4.0f};
    float out[2];
    convert(bytes(in), bytes(out), {.count = 2}, {no_steps, &node, 1, no_steps});
    CHECK(out[0] == 0);
    CHECK(std::signbit(out[0]));
    CHECK(out[1] == 0);
    CHECK_FALSE(std::signbit(out[1]));
}

TEST_CASE("row_converter: elements that do not change are copied with all of their bits") {
    const value_conversion conversion = conversion_with(f32, f32, {});
    row_converter<float> convert(conversion);
    calls = {};
    std::uint32_t in[12], out[12];
    for (std::uint32_t i = 0; i < 12; ++i) in[i] = 0x7f800001u + i, out[i] = 0;  // NaNs that signal
    const row_block block{
        .count = 2, .rows = 2, .from_step = 8, .to_step = 12, .repeats = 2, .from_repeat = 20, .to_repeat = 24};
    convert(bytes(in), bytes(out), block, nowhere);
    const std::uint32_t wanted[12] = {in[0], in[1], 0, in[2], in[3], 0, in[5], in[6], 0, in[7], in[8], 0};
    CHECK(std::memcmp(out, wanted, sizeof(out)) == 0);
    CHECK(calls.plain + calls.converted == 0);
}

TEST_CASE("row_converter: short rows of s8 are converted as numbers, and long ones are copied") {
    const value_conversion conversion = conversion_with(s8, s8, {});
    row_converter<float> convert(conversion);
    std::array<std::int8_t, 66> in;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int8_t>(i * 5 - 128);
    for (const dim_t count : {1, 63, 64, 65}) {
        CAPTURE(count);
        calls = {};
        std::array<std::int8_t, 66> out{}, wanted{};
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) wanted[i] = in[i];
        convert(bytes(in.data()), bytes(out.data()), {.count = count}, nowhere);
        CHECK(out == wanted);
        CHECK(calls.plain == (count < 64 ? 1 : 0));
    }
}

TEST_CASE("row_converter: rows without arithmetic have a function of their own, unless beta reads the destination") {
    const float in[] = {1.5f, 2.5f, 300, -300};
    std::int8_t out[] = {9, 9, 9, 9, 9};
    calls = {};
    const value_conversion plain = conversion_with(f32, s8, {});
    row_converter<float>{plain}(bytes(in), bytes(out), {.count = 2, .rows = 2, .from_step = 8, .to_step = 3}, nowhere);
    const std::int8_t rounded[] = {2, 2, 9, 127, -128};
    CHECK(std::memcmp(out, rounded, sizeof(out)) == 0);
    CHECK(calls.plain == 1);
    CHECK(calls.converted == 0);
    const value_conversion adding = conversion_with(f32, s8, {.beta = 2});
    row_converter<float>{adding}(bytes(in), bytes(out), {.count = 1}, nowhere);
    CHECK(out[0] == 6);  // 1.5 + 2 * 2 = 5.5
    CHECK(calls.plain == 1);
    CHECK(calls.converted == 1);
}

}  // namespace test_engine_quantize_row_converter_numbers
