// The numbers of lanes, registers and segments that follow from the bits of a tile.

#include <plait/engine/plan/tile_pattern.hpp>

#include "support/static_check.hpp"

namespace test_engine_plan_tile_pattern {

using namespace plait::engine;

namespace {

/// 16 lanes in 16 registers: loaded as runs of four, stored as runs of 16 whose lanes were registers; channels, which
/// end, are bits 4 to 7.
constexpr tile_pattern pattern = [] {
    tile_pattern p;
    p.lane_bits = p.register_bits = 4;
    p.src_upper_bits = 2;
    for (const int bit : {4, 5, 6, 7}) p.dst_lanes.push_back(bit);
    for (int bit = 0; bit < 8; ++bit) p.bounds.push_back(bit < 4 ? -1 : 0);
    return p;
}();

}  // namespace

TEST_CASE("tile_pattern: lanes, registers, and the segments of each side") {
    STATIC_CHECK(pattern.lanes() == 16 && pattern.registers() == 16 && pattern.has_vectors());
    STATIC_CHECK(pattern.segment_bits(side::source) == 2 && pattern.segments(side::source) == 4);
    STATIC_CHECK(pattern.segment_bits(side::destination) == 4 && pattern.segments(side::destination) == 1);
    STATIC_CHECK(!tile_pattern{}.has_vectors() && tile_pattern{}.lanes() == 1);
}

TEST_CASE("lanes_along: the lanes of a segment along a bounded axis, on each side") {
    STATIC_CHECK(lanes_along(pattern, 0, side::source).bits == 0);
    STATIC_CHECK(lanes_along(pattern, 0, side::destination).first == 0);
    STATIC_CHECK(lanes_along(pattern, 0, side::destination).bits == 4);
    STATIC_CHECK(lanes_along(pattern, 1, side::destination).bits == 0);
}

TEST_CASE("element_sizes: one size for all if elements are only moved") {
    STATIC_CHECK(element_sizes(2) == element_sizes(2, 2, 2) && element_sizes(4, 1, 1).work == 1);
}

}  // namespace test_engine_plan_tile_pattern
