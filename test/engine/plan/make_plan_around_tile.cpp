// The plan around a tile: loops, bounds and overlaps, and whether masks can bound the lanes.

#include "worked_pair.hpp"

#include <plait/engine/plan/make_plan.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace test_engine_plan_make_plan_around_tile { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

/// The plan around the tile that is counted by hand in choose_tile.cpp: four places by 16 channels of f32.
reorder_plan worked_plan(bool may_overlap) {
    const auto tile = choose_tile(worked, dense_sides(worked, element_sizes(4), isa::sse41), element_sizes(4),
                                  isa::sse41, {2, 2, 2}, network_kind::constant);
    REQUIRE(tile);
    reorder_plan plan;
    REQUIRE(plan_around(plan, worked, *tile, element_sizes(4), may_overlap));
    return plan;
}

TEST_CASE("plan_around: two blocks of channels, the second of which ends at 17; six places in two tiles that overlap") {
    const reorder_plan plan = worked_plan(true);
    CHECK(plan.elements == 32 * 6);  // padding included
    REQUIRE(plan.loops.size() == 2);
    CHECK(plan.loops[0] == plan_loop{2, 96, 96, 0, 16, 0, 0, 0, false, plan.loops[0].axis, false});
    // The second tile begins at place 2 instead of 4: two places further back, two elements and 2 * 16.
    CHECK(plan.loops[1] == plan_loop{2, 4, 64, -1, 4, 2, 2, 32, false, plan.loops[1].axis, true});
    REQUIRE(plan.bounds.size() == 1);
    CHECK(plan.bounds[0] == plan_bound{17, 32, 16});  // a tile has all channels of a block
    for (int bit = 0; bit < 2; ++bit) CHECK(plan.pattern.bounds[bit] == -1);
    for (int bit = 2; bit < 6; ++bit) CHECK(plan.pattern.bounds[bit] == 0);
}

TEST_CASE("plan_around: if tiles may not overlap, the last one passes the end of the places") {
    const reorder_plan plan = worked_plan(false);
    CHECK(plan.loops[1].overlap == 0);
    CHECK(plan.loops[1].bound == 0);
    // In the order in which the tile's bits count them.
    REQUIRE(plan.bounds.size() == 2);
    CHECK(plan.bounds[0] == plan_bound{6, 6, 4});
    CHECK(plan.bounds[1] == plan_bound{17, 32, 16});
}

TEST_CASE("plan_around: no overlap if tiles are stored past the cache, because they would not begin at cache lines") {
    // 2^22 + 1 f32, read and written, are more than 24 MB.
    const layout large({(1 << 22) + 1}, "a"), small({(1 << 10) + 1}, "a");
    const reorder_plan streamed = *make_plan(large, large, element_sizes(4), isa::avx512),
                       cached = *make_plan(small, small, element_sizes(4), isa::avx512);
    CHECK(streamed.loops[0].overlap == 0);
    CHECK(streamed.bounds.size() == 1);
    CHECK(cached.loops[0].overlap > 0);
    CHECK(cached.bounds.empty());
}

TEST_CASE("masks_can_bound: lanes along an axis are one run of rising powers") {
    const auto of_lanes = [](std::initializer_list<int> bounds, std::initializer_list<dim_t> index_steps) {
        reorder_plan plan;
        plan.pattern.lane_bits = static_cast<int>(bounds.size());
        for (const int bound : bounds) {
            plan.pattern.dst_lanes.push_back(plan.pattern.bounds.size());
            plan.pattern.bounds.push_back(bound);
        }
        for (const dim_t step : index_steps) plan.bits.push_back({0, 0, step, 0});
        return masks_can_bound(plan, 0);
    };
    CHECK(of_lanes({0, 0, 0}, {1, 2, 4}));
    CHECK(of_lanes({-1, 0, 0}, {1, 8, 16}));       // another axis below, as in aB8b2a
    CHECK(of_lanes({1, 1, 1}, {1, 8, 2}));         // nothing along the axis
    CHECK_FALSE(of_lanes({0, 1, 0}, {1, 1, 2}));   // in two places, as c in 2c4b2c
    CHECK_FALSE(of_lanes({0, 0, -1}, {1, 4, 1}));  // lanes for indices 0, 1, 4, 5
    CHECK_FALSE(of_lanes({0, 0, -1}, {2, 1, 1}));  // 0, 2, 1, 3
}

TEST_CASE("masks_can_bound: checks the destination's lanes like the source's") {
    reorder_plan plan;
    plan.pattern.lane_bits = plan.pattern.register_bits = 2;
    for (const int bound : {-1, -1, 0, 0}) plan.pattern.bounds.push_back(bound);
    for (const dim_t step : {1, 2, 1, 2}) plan.bits.push_back({0, 0, step, 0});
    plan.pattern.dst_lanes = {};
    for (const int lane : {2, 3}) plan.pattern.dst_lanes.push_back(lane);
    CHECK(masks_can_bound(plan, 0));
    plan.pattern.dst_lanes[0] = 3, plan.pattern.dst_lanes[1] = 2;
    CHECK_FALSE(masks_can_bound(plan, 0));
}

}}  // namespace test_engine_plan_make_plan_around_tile
