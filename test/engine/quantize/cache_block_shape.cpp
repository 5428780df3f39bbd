// The shape of cache blocks, and the number of first nodes that form one row.
#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/quantize/converting_plan.hpp>

#include "engine/quantize/cache_block_nodes.hpp"
#include "laws/random_pairs.hpp"
#include "support/static_check.hpp"

#include <doctest/doctest.h>

namespace test_engine_quantize_cache_block_shape {

using namespace plait;
using namespace plait::engine;

namespace {

/// Returns a plan of cache blocks for two layouts and their element types.
constexpr cache_block_plan cache_blocks_of(const layout& src, const layout& dst, data_type from, data_type to,
                                           const reorder_attributes& attributes = {}) {
    converting_plan plan;
    plan.conversion.attributes = attributes;
    plan.conversion.src_bytes = size_in_bytes(from);
    plan.conversion.dst_bytes = size_in_bytes(to);
    cache_block_plan blocks;
    require({plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span()))
                 ? reason::none
                 : reason::layout_is_not_dense});
    return blocks;
}

TEST_CASE("choose_cache_block: whole cache lines on both sides, and at most as many elements as fit") {
    constexpr layout nchw({1, 64, 56, 56}, "nchw"), nhwc({1, 64, 56, 56}, "nhwc");
    const cache_block_plan blocks = cache_blocks_of(nchw, nhwc, data_type::f32, data_type::u8);
    CHECK(blocks.shape.side == cache_block_side::source);  // the smaller elements are moved
    CHECK(blocks.shape.volume() <= most_in_cache_block);
    REQUIRE(blocks.shape.inner == 2);
    CHECK(blocks.shape.nodes[0].src == 1);
    CHECK(blocks.shape.nodes[0].block_steps * 4 >= 128);
    CHECK(blocks.shape.nodes[1].dst == 1);
    CHECK(blocks.shape.nodes[1].block_steps == 64);
    CHECK(blocks.whole.length == blocks.shape.nodes[0].block_steps);
    CHECK(cache_blocks_of(nchw, nhwc, data_type::u8, data_type::f32).shape.side == cache_block_side::destination);
    CHECK(cache_blocks_of(nchw, nhwc, data_type::f32, data_type::u8, {.beta = 1}).shape.side ==
          cache_block_side::destination);
}

TEST_CASE("choose_cache_block: the same layout needs no buffer") {
    constexpr layout nchw({1, 64, 56, 56}, "nchw");
    const cache_block_plan blocks = cache_blocks_of(nchw, nchw, data_type::f32, data_type::bf16);
    CHECK(blocks.shape.side == cache_block_side::both);
    CHECK(blocks.shape.nodes.size() == 1);
}

TEST_CASE("steps_in_cache_block: a divisor if others are outside, else about equal parts") {
    cache_block_shape shape;
    cache_block_node inner, outer;
    inner.extent = 24;
    inner.index_step = 1;
    outer.extent = 100;
    outer.index_step = 24;
    shape.nodes.push_back(inner);
    shape.nodes.push_back(outer);
    CHECK(steps_in_cache_block(shape, 0, 100) == 24);
    CHECK(steps_in_cache_block(shape, 0, 23) == 12);
    CHECK(steps_in_cache_block(shape, 0, 11) == 8);
    CHECK(steps_in_cache_block(shape, 1, 7) == 4);
    CHECK(steps_in_cache_block(shape, 1, 60) == 48);  // not 48 and 52, nor 60 and 40
    // Adjacent in the destination: whole cache lines if there is room for one.
    shape.nodes[1].dst = 1;
    shape.nodes[1].extent = 640;
    CHECK(steps_in_cache_block(shape, 1, 85) == 64);  // not 80
    CHECK(steps_in_cache_block(shape, 1, 60) == 48);
    shape.line_of_destination = 16;
    CHECK(steps_in_cache_block(shape, 1, 85) == 80);
    shape.nodes[1].is_uneven = true;
    CHECK(steps_in_cache_block(shape, 1, 60) == 1);
}

TEST_CASE("steps_in_cache_block: few cache blocks have a step of which the destination stores a part") {
    // 1003 places, of which 1008 are stored, in 32 blocks of 32: 31 are stored whole.
    cache_block_shape shape;
    shape.side = cache_block_side::destination;
    shape.bounds.push_back({1003, 1008});
    cache_block_node block;
    block.extent = 32;
    block.index_step = 32;
    shape.nodes.push_back(block);
    CHECK(steps_before_end(shape, shape.nodes[0]) == 31);
    CHECK(steps_in_cache_block(shape, 0, 100) == 31);
    CHECK(steps_in_cache_block(shape, 0, 31) == 31);
    CHECK(steps_in_cache_block(shape, 0, 16) == 15);  // two whole ones, then 1 and the part
    shape.side = cache_block_side::source;            // the buffer stores all
    CHECK(steps_before_end(shape, shape.nodes[0]) == 32);
    shape.side = cache_block_side::destination;
    shape.bounds[0].stored = 1024;
    CHECK(steps_before_end(shape, shape.nodes[0]) == 32);
    shape.bounds[0] = {33, 33};  // one whole step of two: too few
    shape.nodes[0].extent = 2;
    CHECK(steps_in_cache_block(shape, 0, 100) == 2);
    shape.bounds[0] = {20, 24};  // less than one step
    shape.nodes[0].extent = 1;
    CHECK(steps_in_cache_block(shape, 0, 100) == 1);
}

TEST_CASE("choose_cache_block: if neighbours have values, a cache block has few of them") {
    std::vector<float> scales(32 * 474, 2.0f);
    const layout src({32, 474, 7, 7}, "ABcd8b32a"), dst({32, 474, 7, 7}, "AcdB48a2b");
    const auto values_of = [&](const reorder_attributes& attributes) {
        const cache_block_plan blocks = cache_blocks_of(src, dst, data_type::u8, data_type::u8, attributes);
        dim_t values = 1;
        for (const cache_block_node& n : blocks.shape.nodes)
            if (n.tensor_axis >= 0) values *= n.block_steps;
        return std::pair(values, blocks.shape.volume());
    };
    const auto [values, volume] = values_of({.src_scale = {scales, 3}});
    CHECK(values == 96);
    CHECK(volume == 96 * 49);
}

TEST_CASE("is_bounded: true if the blocks of an axis go beyond it, or end before its padding") {
    const cache_block_plan even =
        cache_blocks_of(layout({64, 32}, "ab"), layout({64, 32}, "ba"), data_type::f32, data_type::f16);
    for (int a = 0; a < even.shape.bounds.size(); ++a) CHECK_FALSE(even.shape.is_bounded(a));
    const cache_block_plan padded =
        cache_blocks_of(layout({64, 30}, "ab"), layout({64, 30}, "aB16b"), data_type::f32, data_type::f16);
    bool any = false;
    for (int a = 0; a < padded.shape.bounds.size(); ++a) any = any || padded.shape.is_bounded(a);
    CHECK(any);
}

// Otherwise a block copy would not get the remaining extent of the axis, and write after its end.
TEST_CASE(
    "refine_cache_block: every plan for the moves of a cache block has a bound for each axis on which blocks end") {
    plait_test::random_source random(11);
    int watched = 0;
    for (int i = 0; i < 20000; ++i) {
        const dims extents = plait_test::random_extents(random);
        const layout src = plait_test::random_layout(random, extents, true),
                     dst = plait_test::random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || dst.padded_volume() < 2 || dst.volume() == 0) continue;
        converting_plan plan;
        plan.conversion.src_bytes = static_cast<int>(dim_t{1} << random.between(0, 3));
        plan.conversion.dst_bytes = static_cast<int>(dim_t{1} << random.between(0, 3));
        cache_block_plan blocks;
        if (!plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span()))) continue;
        for (const cache_block_side side : {cache_block_side::source, cache_block_side::destination}) {
            cut_cache_blocks_again(plan.conversion, blocks, side);
            const cache_block_shape& shape = blocks.shape;
            const int bytes = side == cache_block_side::source ? plan.conversion.dst_bytes : plan.conversion.src_bytes;
            const isa which = i % 3 == 0 ? isa::sse41 : i % 3 == 1 ? isa::avx2 : isa::avx512;
            const auto moves = make_plan(refine_cache_block(shape), element_sizes(bytes), which);
            if (!moves) continue;  // more axes than a kernel has bounds
            const block_copy_axes axes = find_block_copy_axes(*moves, shape.bounds.size());
            for (int k = 0; k < shape.inner; ++k) {
                const int axis = shape.nodes[k].axis;
                if (!shape.is_bounded(axis)) continue;
                bool found = false;
                for (const int a : axes) found = found || a == axis;
                INFO("pair ", i, ", axis ", axis);
                CHECK(found);
                ++watched;
            }
        }
    }
    CHECK(watched > 10000);
}

using plait_test::node_of, plait_test::places_and_channels, plait_test::shape_of;

/// The cache blocks of s8 that become f32 in the same layout.
cache_block_plan cache_blocks_of(const layout& l, const reorder_attributes& attributes) {
    converting_plan plan;
    plan.conversion = make_conversion(data_type::s8, data_type::f32, attributes, 1);
    cache_block_plan blocks;
    REQUIRE(plan_cache_blocks(plan, blocks, l, l, static_cast<dim_t>(l.element_span())));
    return blocks;
}

TEST_CASE("find_row: a row continues along the axis that it ends on, after places without an end") {
    cache_block_shape shape = places_and_channels();  // rows of 2 * 50 elements
    const cache_block_row row = find_row(shape, true);
    CHECK(row.length == 128);
    CHECK((row.end_axis == 0 && row.end_elements == 2 && row.end_index_step == 1));
    CHECK((row.elements_before_end(0, 50) == 100 && row.elements_before_end(0, 64) == 128));
    CHECK((row.elements_before_end(0, 0) == 0 && row.elements_before_end(1, 1) == 128));
    CHECK(row.reach_along(0) == 63);
    CHECK(row.reach_along(1) == 0);
    // Not if the blocks are not adjacent or another axis ends.
    shape.nodes[2].index_step = 17;
    CHECK(find_row(shape, true).length == 32);
    shape.nodes[2].index_step = 16;
    shape.nodes[2].axis = 2;
    shape.bounds.push_back({4, 4});
    CHECK(find_row(shape, true).length == 32);
    shape.nodes[2].axis = 0;
    // With values by index, the node on which it ends is the last; with sums or values of packed elements, the only
    // one.
    shape.nodes[1].value_steps[src_scales] = 1;
    CHECK(find_row(shape, true).length == 32);
    shape.rows_have_one_value = true;
    CHECK(find_row(shape, true).length == 2);
    shape.rows_have_one_value = false;
    shape.nodes[1].value_steps[s8s8_sums] = 1;
    CHECK(find_row(shape, true).length == 2);
}

TEST_CASE("find_row_to_ends: a row passes the axes that do not end in its cache block") {
    cache_block_shape shape = places_and_channels();
    shape.bounds[1] = {1, 2};
    shape.nodes.push_back(node_of(2, 4, 1, 128, 1024));
    shape.bounds.push_back({3, 3});
    shape.inner = 4;
    CHECK(find_row_to_ends(shape, 0).length == 512);
    CHECK(find_row_to_ends(shape, 1 << 0).length == 128);
    CHECK(find_row_to_ends(shape, 1 << 1).length == 2);
    CHECK(find_row_to_ends(shape, 1 << 2).length == 512);
    CHECK(find_row(shape, true).length == find_row_to_ends(shape, 7).length);
    CHECK(find_row(shape, true).length == 2);
}

TEST_CASE("find_row: four rows are prepared together if their values are neighbours in the array") {
    // cdba of 640 x 8 with a scale for each index of a and b: along a the scales are 8 apart.
    cache_block_shape shape =
        shape_of(cache_block_side::source, {{640, 640}, {8, 8}},
                 {node_of(0, 16, 1, 1, 8), node_of(0, 40, 16, 16, 128), node_of(1, 8, 1, 640, 1)});
    shape.nodes[0].value_steps[src_scales] = 8;
    shape.nodes[1].value_steps[src_scales] = 128;
    CHECK(find_row(shape, false).length == 640);
    shape.nodes[2].value_steps[src_scales] = 1;
    CHECK(find_row(shape, false).length == 160);
    shape.nodes[2].block_steps = 2;  // too few rows
    CHECK(find_row(shape, false).length == 640);
}

TEST_CASE("find_row: if no row has room for all values, rows end with the register in which values repeat") {
    // The destination of ab -> AB8b32a2b with a value for each index of b: 2 of b, 32 of a, 96 times 2 of b.
    cache_block_shape shape = shape_of(cache_block_side::destination, {{192, 192}, {32, 32}},
                                       {node_of(0, 2, 1, 1, 1), node_of(1, 32, 1, 845, 2), node_of(0, 96, 2, 2, 64)});
    shape.nodes[0].value_steps[src_scales] = 1;
    shape.nodes[2].value_steps[src_scales] = 2;
    const cache_block_row row = find_row(shape, false);
    CHECK((row.nodes == 2 && row.last == 8 && row.length == 16));
    // One row has room for all values, or few rows are next to it, or the tensor is large: as long as there is room.
    cache_block_shape other = shape;
    other.nodes[2].extent = other.nodes[2].block_steps = 16;
    CHECK(find_row(other, false).length == 2 * 32 * 16);
    other = shape;
    other.is_large = true;
    CHECK(find_row(other, false).length == 2 * 32 * 16);
    other = shape;
    other.nodes[1].extent = other.nodes[1].block_steps = 512;
    other.nodes[2].extent = other.nodes[2].block_steps = enough_rows - 1;
    other.nodes[2].dst = 1024;
    CHECK(find_row(other, false).length == 2 * 512);
    other.nodes[2].extent = other.nodes[2].block_steps = enough_rows;
    CHECK(find_row(other, false).length == 16);
}

TEST_CASE("find_row: no row has more values than fit, for values along any nodes") {
    constexpr dim_t extents[] = {2, 3, 10, 16, 67, 96, 134, 512};
    int rows = 0, long_rows = 0;
    for (int which = 0; which < 8 * 8 * 8 * 16; ++which) {
        // Three nodes that are dense on both sides; each has values or not.
        cache_block_shape shape;
        shape.is_large = (which >> 12 & 1) != 0;
        dim_t place = 1;
        for (int k = 0; k < 3; ++k) {
            const dim_t extent = extents[which >> 3 * k & 7];
            shape.nodes.push_back(node_of(k, extent, 1, place, place));
            shape.nodes[k].value_steps[dst_scales] = which >> (9 + k) & 1;
            shape.bounds.push_back({extent, extent});
            place *= extent;
        }
        shape.inner = 3;
        for (const bool may_end : {false, true}) {
            const cache_block_row row = find_row(shape, may_end);
            bool has_values = false;
            for (int k = 0; k < row.nodes; ++k) has_values = has_values || shape.nodes[k].has_values();
            if (!has_values) continue;
            ++rows;
            long_rows += row.length > most_values_of_a_row / 2 ? 1 : 0;
            CHECK(row.length <= most_values_of_a_row);
        }
    }
    CHECK((rows > 8000 && long_rows > 800));
}

TEST_CASE("find_row: values that differ inside a row keep it short, and it repeats them") {
    constexpr layout nhwc({1, 64, 56, 56}, "nhwc");
    const float scales[64]{};
    const cache_block_plan blocks = cache_blocks_of(nhwc, {.src_scale = {scales, 2}});
    CHECK(blocks.whole.length == most_values_of_a_row);
    CHECK(blocks.whole.nodes == 2);
    CHECK(blocks.whole.last == most_values_of_a_row / 64);
}

}  // namespace

}  // namespace test_engine_quantize_cache_block_shape
