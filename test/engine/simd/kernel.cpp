// The loops around a tile: a part of them begins where the steps before it end.
#include <plait/engine/simd/portable.hpp>

#include <doctest/doctest.h>

namespace test_engine_simd_kernel { namespace {

using namespace plait;
using namespace plait::engine;

/// Where a tile is: its bytes on both sides, and what remains of the axis.
struct place {
    const std::byte* src;
    std::byte* dst;
    remaining_extents<1> remaining;
    bool operator==(const place& other) const {
        return src == other.src && dst == other.dst && remaining.valid[0] == other.remaining.valid[0] &&
               remaining.stored[0] == other.remaining.stored[0];
    }
};

TEST_CASE("go_to: a part of a loop begins where the loop is after as many steps") {
    std::byte from[4000], to[4000];
    reorder_plan plan;
    plan.sizes = element_sizes(2);
    plan.bounds.push_back({60, 64, 16});
    for (const dim_t index_step : {1, 8, 16})
        for (const int bound : {-1, 0}) {
            plan.loops = {};
            plan.loops.push_back({.extent = 4, .src = 100, .dst = -30, .bound = bound, .index_step = index_step});
            remaining_extents<1> whole;
            whole.valid[0] = 60, whole.stored[0] = 64;
            place stepped{from, to + 2000, whole};
            for (dim_t begin = 0; begin < 4; ++begin) {
                CAPTURE(begin);
                place gone{from, to + 2000, whole};
                simd::portable::go_to<1>(plan, plan_part{0, begin, 4}, gone.src, gone.dst, gone.remaining);
                CHECK(gone == stepped);
                simd::portable::take_step<1>(plan, plan.loops[0], begin, stepped.src, stepped.dst, stepped.remaining);
            }
        }
}

TEST_CASE("step_back: the last tile of a loop then ends with the axis, on both sides") {
    std::byte from[400], to[400];
    reorder_plan plan;
    plan.sizes = element_sizes(2);
    plan.bounds.push_back({60, 60, 16});
    // Tiles of 16 at 0, 16, 32 and 48 of 60 indices: the last one begins at 44 instead.
    const plan_loop loop{.extent = 4,
                         .src = 16,
                         .dst = 16,
                         .bound = 0,
                         .index_step = 16,
                         .overlap = 4,
                         .overlap_src = 4,
                         .overlap_dst = 4};
    remaining_extents<1> whole;
    whole.valid[0] = whole.stored[0] = 60;
    place last{from, to, whole};
    for (dim_t i = 0; i < 3; ++i) simd::portable::take_step<1>(plan, loop, i, last.src, last.dst, last.remaining);
    simd::portable::step_back<1>(plan, loop, last.src, last.dst, last.remaining);
    remaining_extents<1> a_tile;
    a_tile.valid[0] = a_tile.stored[0] = 16;
    CHECK(last == place{from + 2 * 44, to + 2 * 44, a_tile});
}

}}  // namespace test_engine_simd_kernel
