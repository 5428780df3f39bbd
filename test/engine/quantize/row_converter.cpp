// Rows of values: which function converts them, and when the numbers of a row are prepared. Their results are those of
// the random reorders in converting_reorder.cpp.

#include "engine/quantize/cache_block_nodes.hpp"
#include "engine/quantize/plain_row_functions.hpp"

#include <plait/engine/quantize/row_converter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace test_engine_quantize_row_converter { namespace {

using namespace plait;
using namespace plait::engine;
using plait_test::bytes, plait_test::calls, plait_test::conversion_with, plait_test::no_node, plait_test::no_steps;
using plait_test::node_of;

constexpr data_type f32 = data_type::f32, s8 = data_type::s8;
constexpr place_of_rows nowhere{no_steps, &no_node, 0, no_steps};

/// Returns a node of a row; a step of it adds `value_step` to the place in the array of scales of the source.
cache_block_node node_with(dim_t extent, dim_t value_step, int axis = 0, dim_t index_step = 1) {
    cache_block_node out = node_of(axis, extent, index_step, 0, 0);
    out.value_steps[src_scales] = value_step;
    return out;
}

/// Rows of f32 that are ones, scaled by source scales, so that each element of the result is its scale. The row counts
/// its elements by nodes; rows follow each other with `row_step` scales between them.
struct scaled_ones {
    std::vector<cache_block_node> nodes;
    dim_t row_step = 0;
    dim_t gap = 1;  ///< elements after each row of the destination that are not written
    dim_t source_gap = 0;

    std::vector<float> operator()(row_converter<float>& convert, dim_t count, dim_t rows, dim_t first) const {
        dim_t indices[value_arrays]{}, steps[value_arrays]{};
        indices[src_scales] = first;
        steps[src_scales] = row_step;
        const auto volume = static_cast<std::size_t>(rows * (count + gap));
        const std::vector<float> in(static_cast<std::size_t>(rows * (count + source_gap)), 1.0f);
        std::vector<float> out(volume, -1.0f);
        place_of_rows where{indices, nodes.data(), static_cast<int>(nodes.size()), steps};
        convert(bytes(in.data()), bytes(out.data()),
                {.count = count, .rows = rows, .from_step = 4 * (count + source_gap), .to_step = 4 * (count + gap)},
                where);
        return out;
    }
};

/// Returns scales 1, 2, 3 and so on: the scale at index i is i + 1.
std::vector<float> numbered(std::size_t count) {
    std::vector<float> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i + 1);
    return out;
}
value_conversion scaling(const std::vector<float>& scales) {
    return conversion_with(f32, f32, {.src_scale = {scales, 1}});
}
using floats = std::vector<float>;

TEST_CASE("row_converter: values that are in the array as rows need them are not copied") {
    const floats scales = numbered(64);
    const value_conversion conversion = scaling(scales);
    row_converter<float> convert(conversion);
    const auto in_array = [&](dim_t first) {
        return calls.operations.with[src_scales].numbers == bytes(scales.data() + first);
    };
    CHECK(scaled_ones{{node_with(4, 1), node_with(2, 4)}}(convert, 8, 1, 3) == floats{4, 5, 6, 7, 8, 9, 10, 11, -1});
    CHECK(in_array(3));
    CHECK(scaled_ones{{node_with(8, 2)}}(convert, 8, 1, 3) == floats{4, 6, 8, 10, 12, 14, 16, 18, -1});
    CHECK(scaled_ones{{node_with(4, 1), node_with(2, 8)}}(convert, 8, 1, 3) == floats{4, 5, 6, 7, 12, 13, 14, 15, -1});
    // Rows with values of their own, 20 scales apart, also read the array.
    const floats found = scaled_ones{{node_with(8, 1)}, 20}(convert, 8, 2, 1);
    CHECK(in_array(1));
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(found[i] == static_cast<float>(i + 2));
        CHECK(found[9 + i] == static_cast<float>(i + 22));
    }
    // Adjacent rows are one long row, unless their scales are not adjacent too.
    scaled_ones adjacent{{node_with(8, 1)}, 20};
    adjacent.gap = 0;
    CHECK(adjacent(convert, 8, 2, 1)[8] == 22);
    CHECK_FALSE(in_array(1));
    adjacent.source_gap = 1;
    CHECK(adjacent(convert, 8, 2, 1)[8] == 22);
    CHECK(in_array(1));
    adjacent.source_gap = 0;
    adjacent.row_step = 8;
    CHECK(adjacent(convert, 8, 2, 1)[8] == 10);
    CHECK(in_array(1));
    // A row that is not whole registers would be read beyond its end.
    static_cast<void>(scaled_ones{{node_with(12, 1)}}(convert, 12, 1, 1));
    CHECK_FALSE(in_array(1));
}

TEST_CASE("row_converter: numbers are made again only if the rows have other values") {
    const floats scales = numbered(64);
    const value_conversion conversion = scaling(scales);
    row_converter<float> convert(conversion);
    calls = {};
    const auto made = [&](const scaled_ones& row, dim_t count, dim_t rows, dim_t first) {
        const int before = calls.spread;
        static_cast<void>(row(convert, count, rows, first));
        return calls.spread - before;
    };
    const scaled_ones places_of_channels{{node_with(2, 0), node_with(3, 1)}};
    CHECK(made(places_of_channels, 6, 1, 0) == 1);
    CHECK(made(places_of_channels, 6, 1, 0) == 0);
    CHECK(made(places_of_channels, 6, 3, 0) == 0);  // rows that share their values
    CHECK(made(places_of_channels, 4, 1, 0) == 1);
    CHECK(made(places_of_channels, 4, 1, 1) == 1);
    const scaled_ones with_own{{node_with(2, 0), node_with(3, 1)}, 3};
    CHECK(made(with_own, 4, 2, 1) == 1);
    CHECK(made(with_own, 4, 3, 1) == 1);
    CHECK(made(with_own, 4, 3, 1) == 0);
    CHECK(made(scaled_ones{{node_with(2, 0), node_with(3, 1)}, 5}, 4, 3, 1) == 1);
    // The distance to the next row does not matter to one row.
    CHECK(made(with_own, 4, 1, 1) == 1);
    CHECK(made(scaled_ones{{node_with(2, 0), node_with(3, 1)}, 5}, 4, 1, 1) == 0);
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

TEST_CASE("row_converter: results that are looked up are those of all 256 elements, computed once") {
    value_conversion conversion = conversion_with(s8, s8, {.src_scale = 2.0f});
    conversion.look_up = [](const std::byte* results, const std::byte* from, std::byte* to,
                            const row_block& block) noexcept {
        for (dim_t i = 0; i < block.count; ++i) to[i] = results[std::to_integer<int>(from[i])];
    };
    calls = {};
    row_converter<float> convert(conversion);
    const std::int8_t in[] = {-128, -3, -1, 0, 5, 127};
    std::int8_t out[6];
    for (int again = 0; again < 2; ++again) convert(bytes(in), bytes(out), {.count = 6}, nowhere);
    const std::int8_t wanted[] = {-128, -6, -2, 0, 10, 127};
    CHECK(std::memcmp(out, wanted, sizeof(out)) == 0);
    CHECK(calls.converted == 1);
}

}}  // namespace test_engine_quantize_row_converter
