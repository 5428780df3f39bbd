// Rows of values: each element gets the attributes of its place, whichever way the numbers of a row are prepared.

#include "engine/quantize/cache_block_nodes.hpp"
#include "engine/quantize/plain_row_functions.hpp"
#include "support/fenced_memory.hpp"

#include <plait/engine/quantize/row_converter.hpp>

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace test_engine_quantize_row_converter {

using namespace plait;
using namespace plait::engine;
using plait_test::bytes;
using plait_test::calls;
using plait_test::conversion_with;
using plait_test::no_node;
using plait_test::no_steps;
using plait_test::node_of;

namespace {

constexpr data_type f32 = data_type::f32;

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
    dim_t index_step = 1;  ///< of a row, along axis 0
    dim_t gap = 1;         ///< elements after each row of the destination that are not written
    dim_t source_gap = 0;
    const dim_t* remaining = nullptr;  ///< of axis 0

    std::vector<float> operator()(row_converter<float>& convert, dim_t count, dim_t rows, dim_t first) const {
        dim_t indices[value_arrays]{}, steps[value_arrays]{};
        indices[src_scales] = first;
        steps[src_scales] = row_step;
        const auto volume = static_cast<std::size_t>(rows * (count + gap));
        const std::vector<float> in(static_cast<std::size_t>(rows * (count + source_gap)), 1.0f);
        std::vector<float> out(volume, -1.0f);
        place_of_rows where{indices, nodes.data(), static_cast<int>(nodes.size()), steps};
        where.index_step = index_step;
        where.axis_remaining = remaining;
        where.axes = 1;
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

}  // namespace

TEST_CASE(
    "row_converter: attributes with one value for the tensor apply to each element, and to nothing between rows") {
    const value_conversion conversion = conversion_with(
        f32, f32, {.src_scale = 0.5f, .dst_scale = 4.0f, .src_zero_point = 2, .dst_zero_point = 7, .beta = 2.0f});
    row_converter<float> convert(conversion);
    const std::array<float, 4> in{10, 2, -6, 18};
    // Two rows of two elements, and one element after each.
    std::array<float, 6> out{3, 0, 99, 2, -1, 99};
    convert(bytes(in.data()), bytes(out.data()), {.count = 2, .rows = 2, .from_step = 8, .to_step = 12},
            {no_steps, &no_node, 0, no_steps});
    // ((x - 2) * 0.5 + 2 * old) / 4 + 7
    CHECK(out == std::array<float, 6>{9.5f, 7, 99, 7, 8.5f, 99});
}

TEST_CASE("row_converter: arrays give each row its value, in every lane") {
    const floats scales{2, 4, 8, 16, 32, 64};
    const std::vector<std::int32_t> zero_points{0, 0, 5, 7, 0, 0, 0};
    const value_conversion conversion =
        conversion_with(f32, f32, {.dst_scale = {scales, 1}, .dst_zero_point = {zero_points, 1}});
    row_converter<float> convert(conversion);
    dim_t indices[value_arrays]{}, steps[value_arrays]{};
    indices[dst_scales] = 1;
    steps[dst_scales] = 2;  // scales 4 and 16
    indices[dst_zero_points] = 2;
    steps[dst_zero_points] = 1;  // zero points 5 and 7
    const dim_t count = 20;      // more than the largest register
    const floats in(2 * count, 16.0f);
    floats out(2 * count, -1.0f), wanted(count, 9.0f);  // 16 / 4 + 5
    wanted.resize(2 * count, 8.0f);                     // 16 / 16 + 7
    convert(bytes(in.data()), bytes(out.data()), {.count = count, .rows = 2, .from_step = 80, .to_step = 80},
            {indices, &no_node, 0, steps});
    CHECK(out == wanted);
}

TEST_CASE("row_converter: the nodes of a row count the values of its elements, the first node fastest") {
    const floats scales = numbered(64);
    const value_conversion conversion = scaling(scales);
    row_converter<float> convert(conversion);
    // Three channels, repeated for two places.
    CHECK(scaled_ones{{node_with(3, 1), node_with(2, 0)}}(convert, 6, 1, 4) == floats{5, 6, 7, 5, 6, 7, -1});
    // Two places of each of three channels, every fourth scale.
    CHECK(scaled_ones{{node_with(2, 0), node_with(3, 4)}}(convert, 6, 1, 0) == floats{1, 1, 5, 5, 9, 9, -1});
    // The last node has two of its three steps; then the second of these has only its first element.
    CHECK(scaled_ones{{node_with(2, 0), node_with(3, 4)}}(convert, 4, 1, 1) == floats{2, 2, 6, 6, -1});
    CHECK(scaled_ones{{node_with(2, 0), node_with(3, 4)}}(convert, 3, 1, 1) == floats{2, 2, 6, -1});
    // Rows that share their values.
    CHECK(scaled_ones{{node_with(3, 1)}}(convert, 3, 2, 2) == floats{3, 4, 5, -1, 3, 4, 5, -1});
    // Rows with values of their own.
    CHECK(scaled_ones{{node_with(3, 1)}, 10}(convert, 3, 2, 2) == floats{3, 4, 5, -1, 13, 14, 15, -1});
    CHECK(scaled_ones{{node_with(2, 0), node_with(2, 4)}, 1}(convert, 4, 2, 0) ==
          floats{1, 1, 5, 5, -1, 2, 2, 6, 6, -1});
    CHECK(scaled_ones{{node_with(2, 1), node_with(2, 0)}, 8}(convert, 4, 2, 0) ==
          floats{1, 2, 1, 2, -1, 9, 10, 9, 10, -1});
    CHECK(scaled_ones{{node_with(2, 0), node_with(3, 4)}, 1}(convert, 4, 2, 0) ==
          floats{1, 1, 5, 5, -1, 2, 2, 6, 6, -1});
    // One value for the whole row, and a row of one element.
    CHECK(scaled_ones{{node_with(1, 1), node_with(5, 0)}}(convert, 5, 1, 7) == floats{8, 8, 8, 8, 8, -1});
    CHECK(scaled_ones{{node_with(1, 1)}}(convert, 1, 1, 63) == floats{64, -1});
}

TEST_CASE("row_converter: rows may have as many values as there is room for") {
    const floats scales = numbered(most_values_of_a_row);
    const value_conversion conversion = scaling(scales);
    row_converter<float> convert(conversion);
    // One row of values, then the most rows with one value each. Such a value takes 16 numbers.
    floats found = scaled_ones{{node_with(most_values_of_a_row, 1)}}(convert, most_values_of_a_row, 1, 0);
    found.pop_back();
    CHECK(found == scales);
    const floats rows = scaled_ones{{}, 16}(convert, 1, most_rows, 0);
    for (dim_t row = 0; row < most_rows; ++row)
        CHECK(rows[static_cast<std::size_t>(2 * row)] == static_cast<float>(16 * row + 1));
}

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

TEST_CASE("row_converter: beyond the end of an axis, scales are 1, and the array is not read") {
    kernels::fenced_memory<float> scales(5, kernels::fence::behind);
    for (int i = 0; i < 5; ++i) scales.data()[i] = static_cast<float>(i + 11);
    const value_conversion conversion = conversion_with(f32, f32, {.src_scale = {{scales.data(), 5}, 1}});
    row_converter<float> convert(conversion);
    dim_t remaining = 5;
    scaled_ones row{{node_with(8, 1)}};
    row.remaining = &remaining;
    CHECK(row(convert, 8, 1, 0) == floats{11, 12, 13, 14, 15, 1, 1, 1, -1});
    // The place is the same, but the axis ends earlier.
    remaining = 2;
    CHECK(row(convert, 8, 1, 0) == floats{11, 12, 1, 1, 1, 1, 1, 1, -1});
    remaining = 0;
    CHECK(row(convert, 8, 1, 0) == floats{1, 1, 1, 1, 1, 1, 1, 1, -1});
    // Rows follow each other along the axis: the second has one element before the end, the third has none.
    remaining = 5;
    scaled_ones rows{{node_with(4, 1)}, 4, 4};
    rows.remaining = &remaining;
    CHECK(rows(convert, 4, 3, 0) == floats{11, 12, 13, 14, -1, 15, 1, 1, 1, -1, 1, 1, 1, 1, -1});
    scaled_ones one_each{{}, 2, 2};
    one_each.remaining = &remaining;
    CHECK(one_each(convert, 1, 4, 0) == floats{11, -1, 13, -1, 15, -1, 1, -1});
}

TEST_CASE("row_converter: if a row ends early, scales after its last element are not read") {
    kernels::fenced_memory<float> scales(3, kernels::fence::behind);
    for (int i = 0; i < 3; ++i) scales.data()[i] = static_cast<float>(i + 11);
    const value_conversion conversion = conversion_with(f32, f32, {.src_scale = {{scales.data(), 3}, 1}});
    row_converter<float> convert(conversion);
    CHECK(scaled_ones{{node_with(2, 0), node_with(5000, 1)}}(convert, 6, 1, 0) == floats{11, 11, 12, 12, 13, 13, -1});
    CHECK(scaled_ones{{node_with(5000, 1)}}(convert, 2, 1, 1) == floats{12, 13, -1});
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

}  // namespace test_engine_quantize_row_converter
