#include <plait/engine/plan/make_plan.hpp>

#include "engine/plan/permutation_plans.hpp"

#include <doctest/doctest.h>

#include <set>

namespace test_engine_plan_widen_tile { namespace {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

/// The places of every element that a plan moves.
std::set<tile_place> places_of(const reorder_plan& plan) {
    std::set<tile_place> all;
    std::vector<tile_place> in_tile{{0, 0}};
    for (const tile_bit& bit : plan.bits)
        for (std::size_t k = 0, count = in_tile.size(); k < count; ++k)
            in_tile.emplace_back(in_tile[k].first + bit.src, in_tile[k].second + bit.dst);
    for (const auto& [src, dst] : tiles_of(plan))
        for (const auto& [more_src, more_dst] : in_tile) all.emplace(src + more_src, dst + more_dst);
    return all;
}

reorder_plan channels_apart(dim_t pixels, dim_t channels, int bytes) {
    return permutation_plan({pixels, channels}, {1, 0}, bytes);
}

TEST_CASE("widen_tile: four registers become eight, and the loop has half the steps") {
    reorder_plan plan = channels_apart(dim_t{224} * 224, 4, 1);
    REQUIRE(plan.pattern.register_bits == 2);
    REQUIRE(plan.loops.back().extent == 784);
    widen_tile(plan);
    CHECK(plan.pattern.register_bits == 3);
    CHECK(plan.pattern.bounds.size() == plan.pattern.lane_bits + 3);
    CHECK(plan.bits.back() == tile_bit{256, 64, 64, plan.loops.back().axis});
    CHECK(plan.loops.back().extent == 392);
    CHECK(plan.loops.back().overlap == 0);
}

TEST_CASE("widen_tile: a last step that takes half of its tile twice is taken if there are many steps") {
    const auto widened = [](dim_t pixels) {
        reorder_plan plan = channels_apart(pixels, 4, 1);
        widen_tile(plan);
        return plan.pattern.register_bits - 2;
    };
    CHECK(widened(dim_t{64} * 15) == 0);
    CHECK(widened(dim_t{64} * 17) == 1);
    CHECK(widened(dim_t{64} * 2) == 1);
    CHECK(widened(64) == 0);
}

TEST_CASE("widen_tile: the same elements are moved") {
    int wider = 0;
    for (const int bytes : {1, 2, 4, 8})
        for (const dim_t channels : {2, 4, 8})
            for (const dim_t pixels : {64, 100, 127, 128, 1000, 1024, 1357, 3000})
                for (const bool apart : {true, false}) {
                    const reorder_plan plan = apart ? channels_apart(pixels, channels, bytes)
                                                    : permutation_plan({channels, pixels}, {1, 0}, bytes);
                    reorder_plan wide = plan;
                    widen_tile(wide);
                    wider += wide.pattern.register_bits > plan.pattern.register_bits;
                    INFO(bytes, " bytes, ", channels, " channels, ", pixels, " pixels");
                    CHECK((places_of(wide) == places_of(plan)));
                    CHECK(wide.pattern.register_bits <= 4);
                }
    CHECK(wider > 30);
}

TEST_CASE("widen_tile: not if registers are copied, interleaved or staged, if axes end in the tile, or steps differ") {
    const auto stays = [](const reorder_plan& plan) { return steps_of_wider_tile(plan) == 0; };
    const reorder_plan plan = channels_apart(dim_t{224} * 224, 4, 1);
    CHECK_FALSE(stays(plan));
    reorder_plan other = plan;
    other.pattern.interleave = 3;
    CHECK(stays(other));
    other = plan;
    other.pattern.half_bytes = 0;
    CHECK(stays(other));
    other = plan;
    other.bounds.push_back({});
    CHECK(stays(other));
    other = plan;
    other.uneven_steps.push_back({});
    CHECK(stays(other));
    other = plan;
    other.staged_from = 0;
    CHECK(stays(other));
    other = plan;
    other.loops = {};
    CHECK(stays(other));
    other = plan;
    other.pattern.dst_lanes = {};
    for (int lane = 0; lane < other.pattern.lane_bits; ++lane) other.pattern.dst_lanes.push_back(lane);
    other.pattern.src_upper_bits = 0;
    CHECK(stays(other));
}

}}  // namespace test_engine_plan_widen_tile
