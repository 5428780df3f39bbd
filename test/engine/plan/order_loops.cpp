#include <plait/engine/plan/order_loops.hpp>

#include "support/static_check.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace test_engine_plan_order_loops {

using namespace plait;
using namespace plait::engine;

namespace {

using loop_list = inline_list<plan_loop, max_loops + 2>;

constexpr plan_loop loop_of(dim_t extent, dim_t src, dim_t dst, dim_t index_step = 1) {
    plan_loop loop;
    loop.extent = extent;
    loop.src = src;
    loop.dst = dst;
    loop.index_step = index_step;
    loop.bound = -1;
    return loop;
}
constexpr loop_list list_of(std::initializer_list<plan_loop> loops) {
    loop_list out;
    for (const plan_loop& loop : loops) out.push_back(loop);
    return out;
}
constexpr loop_list ordered(loop_list loops) {
    order_loops(loops);
    return loops;
}
constexpr tile_loops apart(loop_list loops) { return order_loops(loops); }

}  // namespace

TEST_CASE("order_loops: of loops with equal steps, the longer is outside") {
    constexpr plan_loop longer = loop_of(9, 1, 50), shorter = loop_of(2, 70, 1);
    constexpr loop_list sorted = ordered(list_of({shorter, longer}));
    STATIC_CHECK(sorted[0] == longer && sorted[1] == shorter);
}

TEST_CASE("order_loops: two innermost loops conflict if each has the smaller step on one side") {
    // Channels step 1 in the destination and places 1 in the source: if one side continues, the other jumps.
    constexpr plan_loop channels = loop_of(4, 100, 1), places = loop_of(8, 1, 16);
    constexpr tile_loops found = apart(list_of({channels, places}));
    STATIC_CHECK(found.along_src == 0 && found.along_dst == 1);  // places, the longer, are outside
    // The inner one has smaller steps on both sides.
    constexpr tile_loops none = apart(list_of({loop_of(4, 100, 100), loop_of(8, 1, 1)}));
    STATIC_CHECK(none.along_src == -1 && none.along_dst == -1);
    // Or an equal step on one side.
    STATIC_CHECK(apart(list_of({loop_of(4, 100, 1), loop_of(8, 1, 1)})).along_src == -1);
    STATIC_CHECK(apart(list_of({channels})).along_src == -1);
}

TEST_CASE("order_loops: keeps every loop, and the least steps do not grow inwards, for random loops") {
    std::mt19937 random(33);
    const auto number = [&](dim_t least, dim_t most) {
        return std::uniform_int_distribution<dim_t>(least, most)(random);
    };
    for (int i = 0; i < 2000; ++i) {
        loop_list loops;
        for (dim_t k = number(0, 6); k > 0; --k) loops.push_back(loop_of(number(1, 4), number(-5, 5), number(-5, 5)));
        const loop_list before = loops;
        order_loops(loops);
        REQUIRE(loops.size() == before.size());
        CHECK(std::is_permutation(loops.begin(), loops.end(), before.begin()));
        for (int k = 1; k < loops.size(); ++k) {
            const auto least = [&](int n) { return std::min(std::abs(loops[n].src), std::abs(loops[n].dst)); };
            CHECK(least(k - 1) >= least(k));
        }
    }
}

TEST_CASE("cut_off: strips and the steps inside are all steps of the loop, for strips of any length") {
    for (dim_t extent = 1; extent <= 30; ++extent)
        for (dim_t steps = 1; steps <= extent; ++steps)
            for (const dim_t overlap : {dim_t{0}, dim_t{2}}) {  // the last step may already go back
                plan_loop outer = loop_of(extent, 7, 5);
                outer.overlap = overlap, outer.overlap_src = 7 * overlap, outer.overlap_dst = 5 * overlap;
                const plan_loop inner = cut_off(outer, steps);
                std::vector<int> times(static_cast<std::size_t>(extent));
                dim_t last = 0;
                for (dim_t strip = 0; strip < outer.extent; ++strip)
                    for (dim_t step = 0; step < inner.extent; ++step) {
                        dim_t src = strip * outer.src + step * inner.src, dst = strip * outer.dst + step * inner.dst;
                        if (strip + 1 == outer.extent) src -= outer.overlap_src, dst -= outer.overlap_dst;
                        CHECK(src * 5 == dst * 7);
                        last = src / 7;
                        if (overlap == 0) ++times.at(static_cast<std::size_t>(src / 7));
                    }
                // The end is the loop's; without an earlier overlap, no step is missing or beyond the end.
                CHECK(last == extent - 1 - overlap);
                if (overlap == 0) CHECK(std::count(times.begin(), times.end(), 0) == 0);
            }
}

TEST_CASE("steps_to_cut: the greatest divisor if no step may be repeated") {
    STATIC_CHECK(steps_to_cut(loop_of(24, 1, 1), 6, 12) == 12);
    STATIC_CHECK(steps_to_cut(loop_of(28, 1, 1), 6, 12) == 7);
    STATIC_CHECK(steps_to_cut(loop_of(26, 1, 1), 6, 12) == 1);  // 13 and 2
}

TEST_CASE("steps_to_cut: else the length that repeats the fewest steps, at most a twelfth of them") {
    constexpr auto overlapping = [](dim_t extent) {
        plan_loop loop = loop_of(extent, 1, 1);
        loop.may_overlap = true;
        return loop;
    };
    // 26 in strips of 12, 11, 10, 9, 8, 7, 6: 10, 7, 4, 1, 6, 2, 4 twice.
    STATIC_CHECK(steps_to_cut(overlapping(26), 6, 12) == 9);
    // 13: 11, 9, 7, 5, 3, 1 and 5 twice; a twelfth allows one: 7.
    STATIC_CHECK(steps_to_cut(overlapping(13), 6, 12) == 7);
    // 17 in strips of 12 to 6: 7, 5, 3, 1, 7, 4, 1. The greatest of the best lengths.
    STATIC_CHECK(steps_to_cut(overlapping(17), 6, 12) == 9);
}

TEST_CASE("steps_to_cut: does not cut shorter loops, uneven ones, or loops that go back but may not overlap") {
    STATIC_CHECK(steps_to_cut(loop_of(12, 1, 1), 12, 12) == 1);
    constexpr plan_loop uneven = [] {
        plan_loop loop = loop_of(24, 1, 1);
        loop.is_uneven = true;
        return loop;
    }();
    STATIC_CHECK(steps_to_cut(uneven, 6, 12) == 1);
    constexpr plan_loop going_back = [] {
        plan_loop loop = loop_of(24, 1, 1);
        loop.overlap = 3;
        return loop;
    }();
    STATIC_CHECK(steps_to_cut(going_back, 6, 12) == 1);
}

namespace {

/// A plan of f32 in tiles of 16 x 16, with a loop along the source outside and one along the destination inside: a
/// transpose of 16 * src_steps by 16 * dst_steps, whose rows in the destination are `pitch` apart.
constexpr reorder_plan transpose(dim_t src_steps, dim_t dst_steps, dim_t pitch) {
    reorder_plan plan;
    plan.sizes = element_sizes(4);
    plan.elements = 256 * src_steps * dst_steps;
    plan.pattern.lane_bits = plan.pattern.register_bits = 4;
    for (int bit = 0; bit < 4; ++bit) plan.bits.push_back({dim_t{1} << bit, pitch << bit, dim_t{1} << bit, 1});
    for (int bit = 0; bit < 4; ++bit) plan.bits.push_back({1024 << bit, dim_t{1} << bit, dim_t{1} << bit, 0});
    for (int lane = 0; lane < 4; ++lane) plan.pattern.dst_lanes.push_back(4 + lane);
    plan.loops.push_back(loop_of(src_steps, 16, 16 * pitch, 16));
    plan.loops.push_back(loop_of(dst_steps, 16 * 1024, 16, 16));
    order_tile_loops(plan, {0, 1});
    return plan;
}

}  // namespace

TEST_CASE(
    "order_tile_loops: some tiles along the destination are a strip, the loop along the source goes around them") {
    // Rows 1040 f32 apart, 65 lines: 16 of them are in 16 sets of the cache. 24 steps of the destination are two strips
    // of 12, around which are 20 steps of the source.
    constexpr reorder_plan plan = transpose(20, 24, 1040);
    STATIC_CHECK(plan.loops.size() == 3 && plan.staged_from == -1);
    STATIC_CHECK(plan.loops[0].extent == 2 && plan.loops[0].dst == 12 * 16);
    STATIC_CHECK(plan.loops[1].extent == 20 && plan.loops[1].src == 16);
    STATIC_CHECK(plan.loops[2].extent == 12 && plan.loops[2].dst == 16);
}

TEST_CASE("order_tile_loops: a short loop along the source is innermost, uncut") {
    // Four tiles of 16 rows are 64 rows, of 65 lines each: none compete.
    constexpr reorder_plan plan = transpose(4, 24, 1040);
    STATIC_CHECK(plan.loops.size() == 2);
    STATIC_CHECK(plan.loops[0].extent == 24 && plan.loops[1].extent == 4);
}

TEST_CASE("order_tile_loops: rows that compete for a cache set go through a staging buffer") {
    // Rows 1024 f32 apart are the cache's period: 16 lines in one set, which has room for 8.
    constexpr reorder_plan plan = transpose(128, 32, 1024);
    // 16 KB are 16 tiles of 1 KB: strips of 16.
    STATIC_CHECK(plan.staged_from == 2 && plan.loops.size() == 3);
    STATIC_CHECK(plan.loops[2].extent == 16 && plan.loops[2].dst == 16);
    STATIC_CHECK(plan.loops[1].extent == 128);
}

TEST_CASE("order_tile_loops: no staging buffer if rows do not compete, at the ends of axes, or past the cache") {
    STATIC_CHECK(transpose(128, 32, 1040).staged_from == -1);
    STATIC_CHECK(transpose(128, 16, 1024).staged_from == -1);  // too short for strips
    // 2^22 elements are 32 MB read and written, so stores go past the cache.
    STATIC_CHECK(transpose(128, 128, 1024).staged_from == -1);
    constexpr reorder_plan bounded = [] {
        reorder_plan plan;
        plan.bounds.push_back({17, 32, 16});
        plan.sizes = element_sizes(4);
        plan.elements = 128 * 32 * 256;
        plan.pattern.lane_bits = plan.pattern.register_bits = 4;
        for (int bit = 0; bit < 4; ++bit) plan.bits.push_back({dim_t{1} << bit, 1024 << bit, 0, 1});
        for (int bit = 0; bit < 4; ++bit) plan.bits.push_back({1024 << bit, dim_t{1} << bit, 0, 0});
        for (int lane = 0; lane < 4; ++lane) plan.pattern.dst_lanes.push_back(4 + lane);
        plan.loops.push_back(loop_of(128, 16, 16 * 1024));
        plan.loops.push_back(loop_of(32, 16 * 1024, 16));
        order_tile_loops(plan, {0, 1});
        return plan;
    }();
    STATIC_CHECK(bounded.staged_from == -1);
}

}  // namespace test_engine_plan_order_loops
