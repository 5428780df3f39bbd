// Runs of plans that are cut by hand: loops around cache blocks, and rows with values of their own, stored in the cache
// or past it.

#include "engine/quantize/plain_row_functions.hpp"
#include "engine/quantize/planned_channels.hpp"
#include "support/fenced_memory.hpp"

#include <plait/engine/quantize/converting_run.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_engine_quantize_converting_run_rows {

using namespace plait;
using namespace plait::engine;
using kernels::fence;
using kernels::fenced_memory;
using plait_test::calls;
using plait_test::conversion_with;
using plait_test::finish_blocks;
using plait_test::node_of;
using plait_test::shape_of;

namespace {

constexpr data_type f32 = data_type::f32, f64 = data_type::f64, s8 = data_type::s8;

/// A source of elements 1, 2, 3 and so on, and what the destination must be, between fences.
template <class T>
struct tensors {
    fenced_memory<T> in, out, wanted;

    tensors(dim_t elements, dim_t written)
        : in(static_cast<std::size_t>(elements), fence::behind),
          out(static_cast<std::size_t>(written), fence::behind),
          wanted(static_cast<std::size_t>(written), fence::behind) {
        for (dim_t i = 0; i < elements; ++i) in.data()[i] = static_cast<T>(i + 1);
    }
    /// Returns true if a run writes what is wanted.
    template <class... Part>
    bool are_written(const cache_block_plan& blocks, const value_conversion& conversion, const Part&... part) {
        converting_plan plan;
        plan.conversion = conversion;
        converting_run<T>(plan, blocks, in.data(), out.data())(part...);
        return out.same_bytes(wanted);
    }
};

/// Returns scales that are all different, between fences.
fenced_memory<float>& number(fenced_memory<float>& scales, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) scales.data()[i] = static_cast<float>(i + 2);
    return scales;
}
reorder_attributes scaled_by(fenced_memory<float>& scales, std::size_t count) {
    return {.src_scale = {{number(scales, count).data(), count}, 1}};
}
cache_block_node with_scales(cache_block_node node, dim_t step) {
    node.value_steps[src_scales] = step;
    return node;
}
cache_block_node cut(cache_block_node node, dim_t steps) {
    node.block_steps = steps;
    return node;
}

}  // namespace

TEST_CASE("converting_run: a unit is a step of the loops that do not stay together") {
    // Three planes of seven rows of five elements; a cache block is two rows, or the last one. In the destination, one
    // element follows each row, and another each plane.
    cache_block_plan blocks;
    blocks.shape = shape_of(cache_block_side::both, {{5, 5}, {7, 7}, {3, 3}},
                            {node_of(0, 5, 1, 1, 1), cut(node_of(1, 7, 1, 5, 6), 2), cut(node_of(2, 3, 1, 35, 43), 1)});
    blocks.shape.src_end = 105;
    finish_blocks(blocks, 4, 4);
    REQUIRE(blocks.order.size() == 2);
    values_loops loops;
    for (const int k : blocks.order) loops.nodes.push_back(k);
    for (const int together : {0, 1}) {
        const dim_t units_of_plane = together == 0 ? 4 : 1;
        loops.together = together;
        loops.units = 3 * units_of_plane;
        for (dim_t begin = 0; begin < loops.units; ++begin)
            for (dim_t end = begin; end <= loops.units; ++end) {
                tensors<float> memory(105, 129);
                for (dim_t i = 0; i < 105; ++i) {
                    const dim_t plane = i / 35, row = i / 5 % 7;
                    const dim_t unit = plane * units_of_plane + (together == 0 ? row / 2 : 0);
                    if (unit >= begin && unit < end)
                        memory.wanted.data()[plane * 43 + row * 6 + i % 5] = static_cast<float>(2 * (i + 1));
                }
                CAPTURE(together);
                CAPTURE(begin);
                CAPTURE(end);
                CHECK(memory.are_written(blocks, conversion_with(f32, f32, {.src_scale = 2.0f}), loops,
                                         converting_part{begin, end}));
            }
    }
}

TEST_CASE("converting_run: uneven steps move the source, the destination and the sums") {
    // Six cache blocks of four elements. Two elements of the source end every second one, and five of the destination
    // every third one, as well as two sums.
    cache_block_plan blocks;
    blocks.shape =
        shape_of(cache_block_side::both, {{24, 24}}, {node_of(0, 4, 1, 1, 1), cut(node_of(0, 6, 4, 4, 4), 1)});
    blocks.shape.src_end = 28;
    blocks.shape.uneven_steps.push_back({.axis = 0, .period = 2, .src = 2, .dst = 0});
    blocks.shape.uneven_steps.push_back({.axis = 0, .period = 3, .src = 0, .dst = 5});
    blocks.shape.uneven_sums.push_back({.axis = 0, .period = 3, .src = 2, .dst = 0});
    blocks.shape.nodes[0].value_steps[s8s8_sums] = 1;
    blocks.shape.nodes[1].value_steps[s8s8_sums] = 4;
    blocks.shape.nodes[1].is_uneven = true;
    finish_blocks(blocks, 4, 1);
    converting_plan plan;
    plan.conversion = conversion_with(f32, s8, {});
    plan.s8s8 = {32, 26, 1};
    fenced_memory<float> in(28, fence::behind);
    for (int i = 0; i < 28; ++i) in.data()[i] = static_cast<float>(i + 1);
    fenced_memory<std::int8_t> out(32 + 4 * 26, fence::behind), wanted(32 + 4 * 26, fence::behind);
    std::memset(out.data() + 32, 0, 4 * 26);
    std::memset(wanted.data() + 32, 0, 4 * 26);
    for (int i = 0; i < 24; ++i) {
        const int block = i / 4;
        const auto x = static_cast<std::int8_t>(i + block / 2 * 2 + 1);
        wanted.data()[i + block / 3 * 5] = x;
        const std::int32_t sum = x;
        std::memcpy(wanted.data() + 32 + 4 * (i + block / 3 * 2), &sum, sizeof(sum));
    }
    converting_run<float>(plan, blocks, in.data(), out.data())();
    CHECK(out.same_bytes(wanted));
}

TEST_CASE("converting_run: rows that pass the end of an axis read no scale beyond it") {
    // 21 channels, stored as 32, and numbered a + 2 * b in each block of 16. The source is place by place; in the
    // destination, two elements follow the six places of a channel. A scale for each channel.
    cache_block_plan blocks;
    blocks.shape =
        shape_of(cache_block_side::destination, {{6, 6}, {21, 32}},
                 {node_of(0, 6, 1, 21, 1), with_scales(node_of(1, 2, 1, 1, 8), 1),
                  with_scales(node_of(1, 8, 2, 2, 16), 2), with_scales(cut(node_of(1, 2, 16, 16, 128), 1), 16)});
    blocks.shape.src_end = 126;
    finish_blocks(blocks, 4, 4);
    fenced_memory<float> scales(21, fence::behind);
    tensors<float> memory(126, 254);
    for (dim_t c = 0; c < 32; ++c)
        for (dim_t p = 0; p < 6; ++p)
            memory.wanted.data()[8 * c + p] = c < 21 ? static_cast<float>((p * 21 + c + 1) * (c + 2)) : 0.0f;
    CHECK(memory.are_written(blocks, conversion_with(f32, f32, scaled_by(scales, 21))));
}

TEST_CASE("converting_run: a row takes some steps of its last node, and a step to the next row is as many") {
    // 86 steps of 24 elements with a scale each: rows of two steps, because 43 are more than there is room for.
    cache_block_plan blocks;
    blocks.shape = shape_of(cache_block_side::both, {{24, 24}, {86, 86}},
                            {with_scales(node_of(0, 24, 1, 1, 1), 1), with_scales(node_of(1, 86, 1, 24, 24), 24)});
    blocks.shape.src_end = 24 * 86;
    finish_blocks(blocks, 4, 4);
    REQUIRE(blocks.whole.length == 48);
    fenced_memory<float> scales(24 * 86, fence::behind);
    tensors<float> memory(24 * 86, 24 * 86);
    for (dim_t i = 0; i < 24 * 86; ++i) memory.wanted.data()[i] = static_cast<float>(i + 1) * static_cast<float>(i + 2);
    CHECK(memory.are_written(blocks, conversion_with(f32, f32, scaled_by(scales, 24 * 86))));
}

TEST_CASE("converting_run: each streamed row has its own scale") {
    cache_block_plan blocks = plait_test::gapped_rows(100, 64, 105);
    blocks.shape.nodes[1].value_steps[src_scales] = 1;
    blocks.streams = true;
    fenced_memory<float> scales(64, fence::behind);
    tensors<float> memory(6400, 64 * 105);
    for (dim_t i = 0; i < 6400; ++i)
        memory.wanted.data()[i / 100 * 105 + i % 100] = static_cast<float>((i + 1) * (i / 100 + 2));
    calls = {};
    CHECK(memory.are_written(blocks, conversion_with(f32, f32, scaled_by(scales, 64))));
    CHECK(calls.streamed > 0);
}

TEST_CASE("converting_run: a streamed row with a scale for each element stays whole") {
    // 8192 bytes, of which streamed_at_once are converted together if a row may be cut. Every other group of four
    // scales is used.
    cache_block_plan blocks;
    blocks.shape = shape_of(cache_block_side::both, {{4, 4}, {256, 256}},
                            {with_scales(node_of(0, 4, 1, 1, 1), 1), with_scales(node_of(1, 256, 1, 4, 4), 8)});
    blocks.shape.src_end = 1024;
    finish_blocks(blocks, 8, 8);
    blocks.streams = true;
    fenced_memory<float> scales(255 * 8 + 4, fence::behind);
    tensors<double> memory(1024, 1024);
    for (dim_t i = 0; i < 1024; ++i)
        memory.wanted.data()[i] = static_cast<double>(i + 1) * static_cast<double>(i / 4 * 8 + i % 4 + 2);
    calls = {};
    CHECK(memory.are_written(blocks, conversion_with<double>(f64, f64, scaled_by(scales, 255 * 8 + 4))));
    CHECK(calls.streamed > 0);
}

TEST_CASE("converting_run: a streamed row that is cut adds each element to its own sum") {
    constexpr dim_t length = 5000;
    cache_block_plan blocks = plait_test::gapped_rows(length, 2, length + 8);
    blocks.shape.nodes[0].value_steps[s8s8_sums] = 1;
    blocks.streams = true;
    converting_plan plan;
    plan.conversion = conversion_with(f32, s8, {});
    plan.s8s8 = {2 * (length + 8), length, 1};
    std::vector<float> in(2 * length);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 101);
    fenced_memory<std::byte> out(2 * (length + 8) + 4 * length, fence::in_front);
    std::memset(out.data(), 0, 2 * (length + 8) + 4 * length);
    calls = {};
    converting_run<float>(plan, blocks, in.data(), out.data())();
    CHECK(calls.streamed > 0);
    bool same = true;
    for (dim_t i = 0; i < length; ++i) {
        std::int32_t sum;
        std::memcpy(&sum, out.data() + 2 * (length + 8) + 4 * i, sizeof(sum));
        same = same && sum == i % 101 + (i + length) % 101;
    }
    CHECK(same);
}

}  // namespace test_engine_quantize_converting_run_rows
