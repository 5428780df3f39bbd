#include <plait/engine/plan/run_time_kernel.hpp>

#include "laws/random_pairs.hpp"
#include "run_plan.hpp"

namespace test_engine_plan_run_time_kernel {

using namespace plait_test;

namespace {

tile_pattern pattern_of(int lane_bits, int register_bits, std::initializer_list<int> dst_lanes) {
    tile_pattern out;
    out.lane_bits = lane_bits;
    out.register_bits = register_bits;
    for (const int lane : dst_lanes) out.dst_lanes.push_back(lane);
    for (int bit = 0; bit < lane_bits + register_bits; ++bit) out.bounds.push_back(-1);
    return out;
}

/// Returns a plan of this pattern with distinguishable bits.
reorder_plan plan_of(const tile_pattern& pattern) {
    reorder_plan plan;
    plan.sizes = element_sizes(4);
    plan.pattern = pattern;
    for (int bit = 0; bit < pattern.lane_bits + pattern.register_bits; ++bit) {
        plan.bits.push_back({100 + bit, 200 + bit, 300 + bit, bit});
        plan.pattern.bounds[bit] = bit % 3 - 1;
    }
    plan.loops.push_back({1, 0, 0, -1, 0, 0, 0, 0, false, -1, false});
    return plan;
}

plan_loop loop_of(dim_t extent, dim_t step, bool is_uneven) {
    plan_loop loop;
    loop.extent = extent;
    loop.src = loop.dst = step;
    loop.is_uneven = is_uneven;
    return loop;
}

TEST_CASE("run_time_form: is idempotent") {
    constexpr int lanes[][2] = {{2, 3}, {3, 2}, {5, 4}, {0, 5}, {1, 0}, {4, 1}};
    for (const auto& [first, second] : lanes) {
        const reorder_plan formed = run_time_form(plan_of(pattern_of(2, 4, {first, second})));
        CHECK(run_time_form(formed) == formed);
    }
}

TEST_CASE("move_uneven_loops_out: loops with uneven steps go outside, the others stay in order") {
    reorder_plan plan = plan_of(pattern_of(0, 0, {}));
    plan.loops = {};
    // Few steps inside, so they are not cut.
    for (const plan_loop& loop : {loop_of(2, 1, false), loop_of(3, 2, true), loop_of(4, 3, false), loop_of(5, 4, true)})
        plan.loops.push_back(loop);
    move_uneven_loops_out(plan);
    REQUIRE(plan.loops.size() == 4);
    const dim_t steps[] = {2, 4, 1, 3};
    for (int k = 0; k < 4; ++k) CHECK(plan.loops[k].src == steps[k]);
}

TEST_CASE("move_uneven_loops_out: a long loop is cut into strips around them, because their steps share cache lines") {
    reorder_plan plan = plan_of(pattern_of(0, 0, {}));
    plan.loops = {};
    for (const plan_loop& loop : {loop_of(100, 7, false), loop_of(3, 2, true)}) plan.loops.push_back(loop);
    move_uneven_loops_out(plan);
    // Of 16 to 64 steps, 50 is the greatest number that divides 100.
    REQUIRE(plan.loops.size() == 3);
    CHECK(plan.loops[0].extent == 2);
    CHECK(plan.loops[0].src == 50 * 7);
    CHECK(plan.loops[1].is_uneven);
    CHECK(plan.loops[2].extent == 50);
    CHECK(plan.loops[2].src == 7);
}

TEST_CASE("move_uneven_loops_out: no change if a tile has whole cache lines on both sides, or without uneven steps") {
    reorder_plan plan;  // 16 f32 by 16, dense on both sides
    plan.sizes = element_sizes(4);
    plan.pattern = pattern_of(4, 0, {0, 1, 2, 3});
    for (int bit = 0; bit < 4; ++bit) plan.bits.push_back({dim_t{1} << bit, dim_t{1} << bit, 0, 0});
    for (const plan_loop& loop : {loop_of(100, 700, false), loop_of(3, 200, true)}) plan.loops.push_back(loop);
    reorder_plan even = plan_of(pattern_of(0, 0, {}));
    even.loops = {};
    for (const plan_loop& loop : {loop_of(3, 2, false), loop_of(100, 7, false)}) even.loops.push_back(loop);
    const reorder_plan before = even;
    move_uneven_loops_out(plan);
    CHECK(plan.loops.size() == 2);
    move_uneven_loops_out(even);
    CHECK(even == before);
}

TEST_CASE("run_time_form: a staged plan keeps its loops, because the buffer's loops are numbered by them") {
    reorder_plan plan = plan_of(pattern_of(0, 0, {}));
    plan.loops = {};
    for (const plan_loop& loop : {loop_of(2, 1, false), loop_of(3, 2, true)}) plan.loops.push_back(loop);
    plan.staged_from = 1;
    CHECK(run_time_form(plan).loops == plan.loops);
}

TEST_CASE("run_time_form: moves the same elements to the same places, for random pairs") {
    random_source random(34);
    int changed = 0;
    for (int i = 0; i < 300; ++i) {
        const dims extents = random_extents(random);
        const layout src = random_layout(random, extents, true), dst = random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok()) continue;
        const auto plan = make_plan(src, dst, element_sizes(4), i % 2 == 0 ? isa::avx2 : isa::avx512);
        if (!plan) continue;
        const reorder_plan formed = run_time_form(*plan);
        const wanted_result wanted(src, dst);
        std::vector<int> before(wanted.out.size(), -1), after = before;
        INFO(text_of(src), " -> ", text_of(dst));
        CHECK(run_plan(*plan, dst, wanted.in, before).stored == run_plan(formed, dst, wanted.in, after).stored);
        CHECK(before == after);
        changed += formed != *plan;
    }
    CHECK(changed > 1);
}

}  // namespace

}  // namespace test_engine_plan_run_time_kernel
