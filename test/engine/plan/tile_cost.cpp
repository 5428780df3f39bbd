#include <plait/engine/plan/choose_tile.hpp>

#include <doctest/doctest.h>

#include "worked_pair.hpp"

namespace test_engine_plan_tile_cost { namespace {

using namespace plait_test;

TEST_CASE("cost_of: registers, shuffles, spills and elements beyond the end of an axis, by hand") {
    // Each of 16 registers is loaded (2 quarters of a cycle), stored (4), exchanged in two steps (2 each, for both
    // registers of an exchange), and spilled (2), because 16 registers leave none to shuffle with: 12 each, 192 for 64
    // elements. Six of eight places exist: 8/6 of the cost. For 2^15 elements: 192 * 2^14 / 2^6 * 8 / 6.
    const tile_choice tile = *choose_tile(worked, dense_sides(worked, element_sizes(4), isa::sse41), element_sizes(4),
                                          isa::sse41, {2, 2, 2});
    CHECK(tile.cost == 192 * (1 << 14) / 64 * 8 / 6);
    CHECK(cost_of(tile, worked, element_sizes(4), isa::sse41, 2) == tile.cost);
    CHECK(cost_of(tile, worked, element_sizes(4), isa::sse41, 3) == (192 + 16 * 2) * (1 << 14) / 64 * 8 / 6);
    // AVX-512 has 32 registers, none of which is spilled.
    CHECK(cost_of(tile, worked, element_sizes(4), isa::avx512, 2) == (192 - 16 * 2) * (1 << 14) / 64 * 8 / 6);
}

/// The memory cost of a tile of 2^rows x 2^columns of a matrix of f32 that is transposed.
dim_t memory_cost_of(dim_t matrix_rows, dim_t matrix_columns, int rows, int columns) {
    const refinement r =
        coalesce(*refine(layout({matrix_rows, matrix_columns}, "ab"), layout({matrix_rows, matrix_columns}, "ba")));
    tile_choice tile;
    for (int i = 0; i < rows; ++i) tile.take(node_with_source_step(r, matrix_columns));
    for (int i = 0; i < columns; ++i) tile.take(node_with_source_step(r, 1));
    return cost_of_memory(tile, r, element_sizes(4));
}

TEST_CASE("cost_of_memory: parts of lines that share a set of the first cache, by hand") {
    // A row of 1024 elements is 4096 bytes: all rows of a tile are in one set. With 16 rows of eight elements each line
    // is fetched once more: 8 half cycles for each of the 2^15 / 16 lines; twice more if four elements of it are
    // moved.
    CHECK(memory_cost_of(1024, 1024, 4, 3) == 8 * 2048);
    CHECK(memory_cost_of(1024, 1024, 4, 2) == 8 * 2048 * 3);
    // The destination's lines are also written back.
    CHECK(memory_cost_of(1024, 1024, 3, 4) == 16 * 2048);
    // Whole lines are never fetched again, eight lines fit in a set, and lines in different sets do not compete.
    CHECK(memory_cost_of(1024, 1024, 4, 4) == 0);
    CHECK(memory_cost_of(1024, 1024, 3, 3) == 0);
    CHECK(memory_cost_of(1024, 1000, 4, 3) == 0);
    // Both tensors, of 64 KB each, stay in a cache that is near.
    CHECK(memory_cost_of(16, 1024, 4, 3) == 0);
}

TEST_CASE("cost_of_memory: lines of a large tensor that a tile cannot store past the cache are read first") {
    // Together 26 MB: lines of the destination begin at multiples of 16 elements, or not, or are not whole in a tile.
    CHECK(memory_cost_of(2048, 1601, 4, 4) == 0);
    CHECK(memory_cost_of(2056, 1601, 4, 4) == 4 << 14);
    CHECK(memory_cost_of(2064, 1601, 3, 3) == 4 << 14);
    // 20 MB.
    CHECK(memory_cost_of(1544, 1601, 4, 4) == 0);
}

}}  // namespace test_engine_plan_tile_cost
