// The rows of a cache block: which are converted whole or together, and in which order; and what padding is zeroed.
// What rows write is tested by converting_reorder.cpp.
#include <plait/engine/quantize/cache_block_rows.hpp>

#include "engine/quantize/cache_block_nodes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace test_engine_quantize_cache_block_rows {

using namespace plait;
using namespace plait::engine;

namespace {

using plait_test::node_of, plait_test::shape_of;

/// A cache block of 16 channels (axis 0), dense, by 6 places (axis 1), dense after them; channels end inside it.
cache_block_plan channels_by_places() {
    cache_block_plan out;
    out.shape =
        shape_of(cache_block_side::both, {{17, 32}, {6, 6}}, {node_of(0, 16, 1, 1, 1), node_of(1, 6, 1, 16, 16)});
    out.bounded[0] = true;
    out.reach[0] = 16;
    out.reach[1] = 6;
    return out;
}
constexpr cache_block_row row_of_channels{.nodes = 1, .length = 16, .last = 16, .end_axis = 0};

TEST_CASE("ends_with_rows: whole steps of the outermost node of an axis, which counts rows or ends them all alike") {
    // Rows of 16 channels, 8 blocks of them.
    const cache_block_shape shape =
        shape_of(cache_block_side::both, {{77, 80}, {6, 6}},
                 {node_of(0, 16, 1, 1, 1), node_of(1, 6, 1, 16, 16), node_of(0, 8, 16, 96, 96)});
    CHECK(ends_with_rows(shape, row_of_channels, 0, 80));
    CHECK(ends_with_rows(shape, row_of_channels, 0, 16));
    CHECK(ends_with_rows(shape, row_of_channels, 1, 5));
    for (const dim_t within : {0, 1, 8, 77, 127}) CHECK_FALSE(ends_with_rows(shape, row_of_channels, 0, within));
    // False if the axis is not in the cache block.
    CHECK_FALSE(ends_with_rows(shape, row_of_channels, 2, 0));
    // Rows that continue through the blocks: through all eight, four or two of them, in whole rows or in part of one.
    const auto through = [](dim_t blocks) {
        return cache_block_row{.nodes = 3, .length = 16 * 6 * blocks, .last = blocks};
    };
    CHECK(ends_with_rows(shape, through(8), 0, 80));
    CHECK_FALSE(ends_with_rows(shape, through(8), 0, 77));
    CHECK(ends_with_rows(shape, through(2), 0, 64));
    CHECK(ends_with_rows(shape, through(2), 0, 16));
    CHECK_FALSE(ends_with_rows(shape, through(2), 0, 80));
    // Channels end within rows, but the last node of these counts places.
    CHECK_FALSE(ends_with_rows(shape, {.nodes = 2, .length = 16 * 6, .last = 6}, 0, 8));
    // A node inside a row, not its last one.
    const cache_block_shape blocks_first =
        shape_of(cache_block_side::both, {{77, 80}, {6, 6}},
                 {node_of(0, 16, 1, 1, 1), node_of(0, 8, 16, 16, 16), node_of(1, 6, 1, 128, 128)});
    CHECK_FALSE(ends_with_rows(blocks_first, {.nodes = 3, .length = 16 * 8 * 6, .last = 6}, 0, 80));
}

TEST_CASE("length_of_rows: what is stored of each row, if all rows end alike") {
    const cache_block_shape shape =
        shape_of(cache_block_side::both, {{77, 80}, {6, 6}},
                 {node_of(0, 16, 1, 1, 1), node_of(1, 6, 1, 16, 16), node_of(0, 8, 16, 96, 96)});
    const dim_t whole[] = {128, 6}, channels[] = {80, 6}, places[] = {128, 5};
    const cache_block_row row{.nodes = 3, .length = 16 * 6 * 8, .last = 8};
    CHECK(length_of_rows(shape, row, whole) == 16 * 6 * 8);
    CHECK(length_of_rows(shape, row, channels) == 16 * 6 * 5);
    CHECK(length_of_rows(shape, {.nodes = 3, .length = 16 * 6 * 4, .last = 4}, channels) == 16 * 6 * 4);
    CHECK(length_of_rows(shape, {.nodes = 2, .length = 16 * 6, .last = 6}, places) == 16 * 5);
    CHECK(length_of_rows(shape, {}, channels) == 1);
}

TEST_CASE(
    "may_convert_whole: true if all written bytes are stored, all read ones are in the source, and a quarter is "
    "wanted") {
    cache_block_plan blocks;
    cache_block_shape& shape = blocks.shape;
    shape = shape_of(cache_block_side::destination, {{77, 80}}, {node_of(0, 16, 1, 1, 1), node_of(0, 8, 16, 96, 96)});
    blocks.reach[0] = 128;
    blocks.whole = blocks.part = row_of_channels;
    value_conversion offset;  // which changes 0
    offset.active[src_zero_points] = true;
    const auto may = [&](dim_t valid, dim_t stored, dim_t src = 0) {
        return may_convert_whole(blocks, offset, &valid, &stored, src);
    };
    CHECK(may(77, 128));
    CHECK(may(77, 80));  // five rows
    CHECK(may(20, 80));
    CHECK_FALSE(may(19, 80));  // less than a quarter is wanted
    // Clipped rows of two elements would take longer than the 30 that are not wanted.
    blocks.part = {.nodes = 1, .length = 2, .last = 2};
    CHECK(may(3, 80));
    CHECK_FALSE(may(2, 80));
    blocks.part = row_of_channels;
    CHECK_FALSE(may(77, 79));  // a row is stored in parts
    blocks.whole = {.nodes = 2, .length = 128, .last = 8};
    CHECK(may(77, 128));
    CHECK(may(77, 80));  // of each row, five blocks
    blocks.whole = {.nodes = 2, .length = 32, .last = 2};
    CHECK_FALSE(may(77, 80));
    // On both sides: the source ends after element 15 of the fifth block. Rows that end are short.
    shape.side = cache_block_side::both;
    blocks.whole = row_of_channels;
    blocks.part.length = 4;
    shape.src_end = 4 * 96 + 16;
    CHECK(may(77, 80));
    CHECK_FALSE(may(77, 96));
    CHECK_FALSE(may(77, 80, 1));
    blocks.part.length = 8;
    CHECK_FALSE(may(77, 80));
}

TEST_CASE("rows_at_once: as many rows with separate values as fit") {
    cache_block_plan blocks = channels_by_places();
    row_loop places = loop_of(blocks.shape.nodes[1], 1, 16, 16);
    places.extent = 1000;
    CHECK(rows_at_once(blocks, row_of_channels, places) == 1000);
    const dim_t by_place[value_arrays] = {0, 1};
    places.value_steps = by_place;
    CHECK(rows_at_once(blocks, row_of_channels, places) == most_rows);  // one value each: a register of equal ones
    blocks.shape.nodes[0].value_steps[1] = 6;                           // also by channel: the values of a row differ
    CHECK(rows_at_once(blocks, {1, 8, 8}, places) == most_values_of_a_row / 8);
}

// Rows of 16 channels with a value each; around them 16 places without, and 16 blocks of channels with other values.
TEST_CASE(
    "put_rows_first: the most rows in one call; values of several rows rather than the same ones again and again") {
    cache_block_plan blocks = channels_by_places();
    blocks.shape.nodes[0].value_steps[1] = 1;
    const dim_t by_block[value_arrays] = {0, 16}, none[value_arrays] = {};
    const auto loop = [](dim_t extent, dim_t to, const dim_t* values) {
        return row_loop{1, extent, 1, 64, to, 0, values, 1};
    };
    const cache_block_row row{1, 16, 16};
    const auto innermost = [&](dim_t places, dim_t groups, dim_t streamed = 0, bool may_end = false) {
        row_loop loops[] = {loop(places, 16, none), loop(groups, 64 * 16, by_block)};
        const dim_t rows = put_rows_first(blocks, row, loops, 2, streamed, may_end);
        CHECK(rows == loops[0].extent);
        return loops[0].has_values();
    };
    CHECK(innermost(16, 16));           // 256 values, and these 16 times; not 16 values for each of 16 calls
    CHECK(innermost(9, 8));             // eight adjacent rows are enough
    CHECK_FALSE(innermost(16, 2));      // two rows would not fill the registers of a step
    CHECK_FALSE(innermost(16, 16, 1));  // past the cache: adjacent rows
    blocks.bounded[1] = true;
    CHECK(innermost(16, 17, 0, true));  // neither repeats the other: the longer
    CHECK_FALSE(innermost(20, 16, 0, true));
    row_loop none_at_all[1];
    CHECK(put_rows_first(blocks, row, none_at_all, 0, 0, false) == 1);
}

TEST_CASE("find_repeats: the longest loop that changes neither values nor remaining extents") {
    cache_block_plan blocks = channels_by_places();
    const dim_t values[value_arrays] = {0, 1}, none[value_arrays] = {};
    const row_loop loops[] = {{1, 30, 1, 1, 1, 0, none, 1},
                              {1, 4, 1, 1, 1, 0, none, 1},
                              {0, 9, 1, 1, 1, 0, none, 1},
                              {1, 20, 1, 1, 1, 0, values, 1}};
    CHECK(find_repeats(blocks, loops, 4, 0, true) == 1);  // channels end, and the last has values
    CHECK(find_repeats(blocks, loops, 4, 0, false) == 2);
    CHECK(find_repeats(blocks, loops, 4, 1, false) == 0);
    CHECK(find_repeats(blocks, loops + 3, 1, -1, false) == -1);
}

TEST_CASE("find_clipped_row: the row of the axes that end in this cache block") {
    // 32 channels, 26 of them valid in the last cache block, inside 4 places, of which 3 exist.
    cache_block_plan blocks;
    blocks.shape = shape_of(
        cache_block_side::destination, {{26, 32}, {3, 3}, {4, 4}},
        {node_of(0, 8, 1, 1, 1), node_of(2, 4, 1, 8, 8), node_of(0, 4, 8, 32, 32), node_of(1, 4, 1, 512, 512)});
    for (int a = 0; a < 3; ++a) {
        blocks.reach[a] = blocks.shape.reach(a);
        blocks.bounded[a] = blocks.shape.is_bounded(a);
    }
    blocks.whole = find_row(blocks.shape, false);
    blocks.part = find_row(blocks.shape, true);
    CHECK((blocks.whole.length == 128 && blocks.part.length == 8));
    const dim_t places_end[] = {58, 3, 4}, stored[] = {64, 3, 4}, both_end[] = {26, 3, 4};
    CHECK(find_clipped_row(blocks, places_end, stored).length == 128);
    CHECK(find_clipped_row(blocks, both_end, stored).length == 8);
    // Rows that are not short are as long as those that end on all axes.
    blocks.part.length = 64;
    CHECK(find_clipped_row(blocks, places_end, stored).length == 64);
}

cache_block_plan cache_blocks_of(const layout& src, const layout& dst) {
    converting_plan plan;
    plan.conversion = make_conversion(data_type::f32, data_type::s8, {}, 1);
    cache_block_plan blocks;
    REQUIRE(plan_cache_blocks(plan, blocks, src, dst, static_cast<dim_t>(src.element_span())));
    return blocks;
}

/// Calls visit(number, place in the destination, index along each axis) for each element of a cache block.
template <class Visit>
void for_each_element(const cache_block_shape& shape, const Visit& visit) {
    for (dim_t number = 0; number < shape.volume(); ++number) {
        dim_t remaining = number, place = 0, at[max_block_nodes]{};
        for (const cache_block_node& n : shape.nodes) {
            place += remaining % n.block_steps * n.dst;
            at[n.axis] += remaining % n.block_steps * n.index_step;
            remaining /= n.block_steps;
        }
        visit(number, place, at);
    }
}

/// The places of a cache block in the destination: those that are stored, or all.
std::vector<dim_t> offsets_for(const cache_block_plan& blocks, const dim_t* stored, bool all) {
    std::vector<dim_t> places;
    for_each_element(blocks.shape, [&](dim_t, dim_t place, const dim_t* at) {
        bool is_stored = true;
        for (int a = 0; a < blocks.shape.bounds.size(); ++a)
            is_stored = is_stored && (!blocks.bounded[a] || at[a] < stored[a]);
        if (is_stored || all) places.push_back(place);
    });
    return places;
}

/// Zeros the cache block for every number of elements that an axis may have left; returns for how many
/// inside the cache block that succeeded.
int check_zeros(const cache_block_plan& blocks) {
    int zeroed = 0;
    dim_t full[max_block_nodes]{};
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) full[a] = blocks.reach[a];
    const std::vector<dim_t> all = offsets_for(blocks, full, true);
    const dim_t size = 4 * (1 + *std::max_element(all.begin(), all.end()));
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) {
        if (!blocks.bounded[a]) continue;
        for (dim_t left = 1; left <= blocks.reach[a] + 1; ++left) {
            dim_t stored[max_block_nodes];
            std::copy_n(full, max_block_nodes, stored);
            stored[a] = left;
            std::vector<unsigned char> expected(static_cast<std::size_t>(size), 7), found = expected;
            if (zero_cache_block(blocks, stored, 4, reinterpret_cast<std::byte*>(found.data()), block_zeros{})) {
                zeroed += left < blocks.reach[a] ? 1 : 0;
                for (const dim_t place : offsets_for(blocks, stored, false))
                    std::fill_n(expected.begin() + 4 * place, 4, static_cast<unsigned char>(0));
            }
            CHECK(found == expected);
        }
    }
    return zeroed;
}

TEST_CASE("zero_cache_block: zeros all stored padding and nothing else") {
    // One block of channels in a cache block, which ends inside it; parts of a plane; adjacent blocks; no end
    // inside.
    CHECK(check_zeros(cache_blocks_of(layout({2, 17, 56, 56}, "nchw"), layout({2, 17, 56, 56}, "nChw16c"))) > 0);
    CHECK(check_zeros(cache_blocks_of(layout({2, 8, 101, 103}, "nhwc"), layout({2, 8, 101, 103}, "nChw8c"))) > 0);
    CHECK(check_zeros(cache_blocks_of(layout({300, 301}, "ab"), layout({300, 301}, "ba"))) > 0);
    CHECK(check_zeros(cache_blocks_of(layout({17, 33, 3, 3}, "hwio"), layout({17, 33, 3, 3}, "OIhw16i16o"))) == 0);
}

TEST_CASE("zero_cache_block: leaves an axis that ends within a partly stored block to the rows") {
    const cache_block_plan blocks =
        cache_blocks_of(layout({17, 33, 3, 3}, "oihw"), layout({17, 33, 3, 3}, "OIhw4i16o4i"));
    dim_t stored[max_block_nodes];
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) stored[a] = blocks.reach[a] - 1;
    std::vector<std::byte> memory(1 << 16, std::byte{7});
    CHECK_FALSE(zero_cache_block(blocks, stored, 1, memory.data(), block_zeros{}));
    CHECK(memory == std::vector<std::byte>(1 << 16, std::byte{7}));
}

TEST_CASE("zero_padding_of: zeros the cache block first, unless beta reads its elements") {
    const cache_block_plan blocks =
        cache_blocks_of(layout({2, 17, 56, 56}, "nchw"), layout({2, 17, 56, 56}, "nChw16c"));
    dim_t stored[max_block_nodes];
    dim_t valid[max_block_nodes];
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) {
        stored[a] = blocks.reach[a];
        valid[a] = blocks.reach[a] - 1;
    }
    const std::vector<std::byte> full(1 << 18, std::byte{7});
    const auto zeroed = [&](const value_conversion& conversion, bool is_all_padding, padding_zeroed wanted) {
        std::vector<std::byte> memory = full;
        CHECK(zero_padding_of(blocks, conversion, valid, stored, is_all_padding, memory.data(), block_zeros{}) ==
              wanted);
        return memory != full;
    };
    value_conversion plain, adds, packs;
    plain.dst_bytes = adds.dst_bytes = packs.dst_bytes = 1;
    adds.attributes.beta = 1;
    packs.dst_memory = data_type::s4;
    CHECK(zeroed(plain, false, padding_zeroed::before_rows));
    CHECK_FALSE(zeroed(adds, false, padding_zeroed::after_rows));
    CHECK(zeroed(adds, true, padding_zeroed::before_rows));
    CHECK_FALSE(zeroed(packs, false, padding_zeroed::with_rows));
    // A cache block that ends with its elements has nothing to zero.
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) stored[a] = valid[a];
    CHECK_FALSE(has_padding(blocks, valid, stored));
    CHECK_FALSE(zeroed(plain, false, padding_zeroed::before_rows));
    ++stored[0];
    CHECK(has_padding(blocks, valid, stored));
}

}  // namespace

}  // namespace test_engine_quantize_cache_block_rows
