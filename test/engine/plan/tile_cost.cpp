#include <plait/engine/plan/tile_cost.hpp>

#include <plait/engine/plan/choose_tile.hpp>

#include <doctest/doctest.h>

#include "worked_pair.hpp"

using namespace plait_test;

TEST_CASE("cost_of: registers, shuffles, spills and what lies beyond the end of an axis, by hand") {
    // Each of 16 registers is loaded (2 half cycles), stored (4), exchanged in two steps (2 each, for both registers of
    // an exchange), and spilled (2), as 16 registers leave none to shuffle with: 12 each, 192 for 64 elements. Of eight
    // places six are there: 8/6 as much. For 2^15 elements: 192 * 2^14 / 2^6 * 8 / 6.
    const tile_choice tile = *choose_tile(worked, dense_sides(worked, 4, isa::sse41), 4, isa::sse41, {2, 2, 2});
    CHECK(tile.cost == 192 * (1 << 14) / 64 * 8 / 6);
    CHECK(cost_of(tile, worked, 4, isa::sse41, 2) == tile.cost);
    CHECK(cost_of(tile, worked, 4, isa::sse41, 3) == (192 + 16 * 2) * (1 << 14) / 64 * 8 / 6);
    // AVX-512 has 32 registers, none of which is spilled.
    CHECK(cost_of(tile, worked, 4, isa::avx512, 2) == (192 - 16 * 2) * (1 << 14) / 64 * 8 / 6);
}
