// The rows of a cache block at the ends of axes: what clip_rows leaves of them.

#include "engine/quantize/cache_block_nodes.hpp"
#include "engine/quantize/cache_block_rows_cases.hpp"

#include <plait/engine/quantize/cache_block_rows.hpp>

#include <doctest/doctest.h>

namespace test_engine_quantize_cache_block_rows_at_ends {

using namespace plait;
using namespace plait::engine;
using plait_test::channels_by_places;
using plait_test::node_of;
using plait_test::row_of_channels;
using plait_test::shape_of;

namespace {

struct clipped {
    dim_t valid, stored, taken;
    bool operator==(const clipped&) const = default;
};
clipped clip(const cache_block_plan& blocks, const cache_block_row& row, const row_loop* loop, dim_t valid,
             dim_t stored, dim_t at, dim_t taken) {
    const dim_t valids[] = {valid, 6}, storeds[] = {stored, 6}, ats[] = {at, 0};
    part_of_rows part{row.length, row.length};
    clip_rows(blocks, valids, storeds, part, taken, row, loop, ats);
    return {part.valid, part.stored, taken};
}

}  // namespace

TEST_CASE("clip_rows: returns the valid and the stored extent of a row along the axis that ends") {
    const cache_block_plan blocks = channels_by_places();
    CHECK(clip(blocks, row_of_channels, nullptr, 17, 32, 0, 6) == clipped{16, 16, 6});
    CHECK(clip(blocks, row_of_channels, nullptr, 1, 16, 0, 6) == clipped{1, 16, 6});  // the second block of 17 channels
    CHECK(clip(blocks, row_of_channels, nullptr, 1, 9, 0, 6) == clipped{1, 9, 6});
    CHECK(clip(blocks, row_of_channels, nullptr, 0, 16, 0, 6) == clipped{0, 16, 6});
    // A source longer than the stored extent: at most the stored extent is valid.
    CHECK(clip(blocks, row_of_channels, nullptr, 16, 5, 0, 6) == clipped{5, 5, 6});
    // If the row begins later, less remains.
    CHECK(clip(blocks, row_of_channels, nullptr, 17, 32, 12, 6) == clipped{5, 16, 6});
}

TEST_CASE("clip_rows: ignores axes on which the cache block does not end") {
    cache_block_plan blocks = channels_by_places();
    blocks.bounded[0] = false;
    CHECK(clip(blocks, row_of_channels, nullptr, 1, 1, 0, 6) == clipped{16, 16, 6});
}

TEST_CASE("clip_rows: of adjacent rows along the axis, takes those that begin before the end") {
    // Rows of six places, one for each channel: eleven channels remain, and eight or all are wanted.
    cache_block_plan blocks;
    blocks.shape =
        shape_of(cache_block_side::both, {{17, 32}, {6, 6}}, {node_of(1, 6, 1, 1, 1), node_of(0, 16, 1, 6, 6)});
    blocks.bounded[0] = true;
    const cache_block_row row{1, 6, 6};
    const row_loop channels = loop_of(blocks.shape.nodes[1], 1, 6, 6);
    CHECK(clip(blocks, row, &channels, 11, 16, 0, 8) == clipped{6, 6, 8});
    CHECK(clip(blocks, row, &channels, 11, 16, 0, 16) == clipped{6, 6, 11});
    // Rows after the last valid one are padding: five rows are stored, and nothing of them is valid.
    CHECK(clip(blocks, row, &channels, 11, 16, 11, 16) == clipped{0, 6, 5});
    CHECK(clip(blocks, row, &channels, 11, 16, 16, 16).stored == 0);
}

TEST_CASE("clip_rows: of rows along their own axis, takes the whole ones together and the last one alone") {
    // 20 indices in rows of four, each beginning at the end of the previous one: five whole rows; 18 give four and a
    // half.
    cache_block_plan blocks;
    blocks.shape =
        shape_of(cache_block_side::both, {{20, 20}, {6, 6}}, {node_of(0, 4, 1, 1, 1), node_of(0, 5, 4, 8, 8)});
    blocks.bounded[0] = true;
    const cache_block_row row{.nodes = 1, .length = 4, .last = 4, .end_axis = 0};
    const row_loop rows = loop_of(blocks.shape.nodes[1], 1, 8, 8);
    CHECK(clip(blocks, row, &rows, 20, 20, 0, 5) == clipped{4, 4, 5});
    CHECK(clip(blocks, row, &rows, 18, 18, 0, 5) == clipped{4, 4, 4});
    CHECK(clip(blocks, row, &rows, 18, 18, 16, 5) == clipped{2, 2, 1});
}

TEST_CASE("clip_rows: rows of two places and 64 channels have only the existing channels") {
    cache_block_plan blocks;
    blocks.shape = plait_test::places_and_channels();
    blocks.bounded[0] = true;
    const cache_block_row row = find_row(blocks.shape, true);
    CHECK(clip(blocks, row, nullptr, 50, 64, 0, 6) == clipped{100, 128, 6});
    CHECK(clip(blocks, row, nullptr, 0, 64, 0, 6) == clipped{0, 128, 6});
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

}  // namespace test_engine_quantize_cache_block_rows_at_ends
