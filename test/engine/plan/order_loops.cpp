#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>
#include <plait/engine/plan/split_plan.hpp>

#include "engine/plan/permutation_plans.hpp"
#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace test_engine_plan_order_loops {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

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
    order_tile_loops(plan, {0, 1}, plan.bytes_moved() >= streaming_bytes);
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

TEST_CASE("order_tile_loops: single elements have a loop along the source of up to 16 steps innermost, uncut") {
    const auto innermost = [](dim_t src_steps) {
        reorder_plan plan;
        plan.sizes = element_sizes(4);
        plan.elements = 24 * src_steps;
        plan.loops.push_back(loop_of(src_steps, 4, 16));
        plan.loops.push_back(loop_of(24, 36, 1));
        order_tile_loops(plan, {0, 1}, false);
        return plan.loops.back();
    };
    STATIC_CHECK(innermost(9).extent == 9 && innermost(9).src == 4);
    STATIC_CHECK(innermost(16).extent == 16);
    STATIC_CHECK(innermost(32).extent < 32);
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
        order_tile_loops(plan, {0, 1}, plan.bytes_moved() >= streaming_bytes);
        return plan;
    }();
    STATIC_CHECK(bounded.staged_from == -1);
}

namespace {

/// The pages of the destination that the loops of a plan from `outermost` inwards write.
std::set<dim_t> pages_written(const reorder_plan& plan, int outermost) {
    reorder_plan inner = plan;
    for (int k = 0; k < outermost; ++k) inner.loops.erase(0);
    const std::vector<dim_t> in_tile = places_in_tile(plan);
    std::set<dim_t> pages;
    for (const auto& [src, dst] : tiles_of(inner))
        for (const dim_t more : in_tile) pages.insert((dst + more) * plan.sizes.dst / page_bytes);
    return pages;
}

TEST_CASE("large_order: a transpose of 7264 x 7264 opens 560 pages at a time") {
    const reorder_plan plan = permutation_plan({7264, 7264}, {1, 0}, 4);
    REQUIRE(may_stream(plan));
    REQUIRE(plan.loops.size() == 3);
    // 35 tiles write 16 rows each, in pages of their own. 13 * 35 steps are 1 more than 454; 64 steps, the most for
    // 1024 pages, would be 58 more.
    CHECK(plan.loops[2].extent == 35);
    CHECK(plan.loops[2].src == 16);
    CHECK(plan.loops[1].extent == 454);
    CHECK(plan.loops[1].dst == 16);
    CHECK(plan.loops[0].extent == 13);
    CHECK(plan.loops[0].overlap_src == 16);
    CHECK(plan.loops[0].overlap_dst == 16 * 7264);
    // The next 16 rows of the source are prefetched, 35 tiles ahead.
    CHECK(plan.prefetch == 16 * 7264);
}

TEST_CASE("large_order: short axes of the source follow each other until the pages are open") {
    // 32 elements are 2 tiles, which write 32 rows, 108000 elements apart; the 15 steps of the next axis write 480.
    const reorder_plan plan = permutation_plan({32, 15, 15, 15, 15, 32}, {5, 4, 3, 2, 1, 0}, 4);
    REQUIRE(plan.loops.size() == 7);
    CHECK(plan.loops[6].src == 16);
    CHECK(plan.loops[6].extent == 2);
    CHECK(plan.loops[5].src == 32);
    CHECK(plan.loops[5].extent == 15);
    // Of the third axis 2 steps open 960 pages. What is left of it comes further out.
    CHECK(plan.loops[4].src == 480);
    CHECK(plan.loops[4].extent == 2);
    CHECK(plan.loops[3].dst == 16);
}

TEST_CASE("large_order: if four steps complete blocks of the destination, they are innermost") {
    const reorder_plan plan = permutation_plan({4, 64, 25600}, {0, 2, 1}, 4);  // nchw -> nhwc
    CHECK(plan.loops.back().dst == 16);
    CHECK(plan.loops.back().extent == 4);
    CHECK(plan.loops[plan.loops.size() - 2].src == 16);
    // Of 129 groups of 16 channels, all steps would read 2064 rows.
    CHECK(permutation_plan({4, 2064, 1616}, {0, 2, 1}, 4).loops.back().src == 16);
}

TEST_CASE("large_order: if the first tiles write few sets of a cache, steps along the destination are innermost") {
    const auto transpose = [](dim_t rows, dim_t columns) { return permutation_plan({rows, columns}, {1, 0}, 4); };
    // Rows of 4096 floats begin in one set, rows of 7264 and 4080 floats in many.
    CHECK(transpose(4096, 4096).loops.back().dst == 16);
    CHECK(transpose(4096, 4096).loops.back().extent == 4);  // 64 rows of the source
    CHECK(transpose(7264, 7264).loops.back().src == 16);
    CHECK(transpose(4080, 4096).loops.back().src == 16);
    // nchw -> nhwc of 128 channels: rows of 512 bytes begin in 8 sets.
    CHECK(permutation_plan({4, 128, 12544}, {0, 2, 1}, 4).loops.back().dst == 16);
    const auto crowds = [](dim_t row, dim_t tile) {
        reorder_plan plan = permutation_plan({7264, 7264}, {1, 0}, 4);
        for (tile_bit& bit : plan.bits)
            if (bit.dst >= 16) bit.dst = bit.dst / 7264 * row;
        for (plan_loop& loop : plan.loops) loop.dst = tile;
        return crowds_sets(plan);
    };
    CHECK(crowds(1024, 16384));  // every row in set 0
    CHECK(crowds(2048, -1024));
    CHECK(!crowds(2048, -64));    // 16 tiles that go back by 4 lines: 16 sets
    CHECK(!crowds(1040, 16640));  // 16 sets in a tile, all in 16 tiles
    CHECK(crowds(128, 2048));     // 8 sets
    CHECK(!crowds(64, 1024));     // 16 sets
}

TEST_CASE("steps_for_pages: of the numbers of steps above half, the largest that takes the fewest twice") {
    for (dim_t extent = 1; extent < 2000; extent += 1 + extent / 20)
        for (dim_t most = 0; most < 300; ++most)
            for (const int bound : {-1, 0}) {
                dim_t best = 1, fewest = bound < 0 ? most : 1;
                for (dim_t steps = most; steps > 1 && 2 * steps > most; --steps)
                    if (const dim_t twice = divide_up(extent, steps) * steps - extent; twice < fewest)
                        best = steps, fewest = twice;
                const dim_t found = steps_for_pages({.extent = extent, .bound = bound}, most);
                if (found != best) FAIL_CHECK(extent, " steps, at most ", most, ": ", found, " instead of ", best);
            }
}

TEST_CASE("steps_for_pages: ends for any number of steps") {
    const dim_t found = steps_for_pages({.extent = (dim_t{1} << 50) + 7}, 1021);
    CHECK((found > 510 && found <= 1021));
    CHECK(steps_for_pages({.extent = (dim_t{1} << 50) + 7, .bound = 0}, 1021) >= 1);
}

TEST_CASE("large_order: tensors without elements have an order") {
    CHECK(tiles_of(permutation_plan({0, dim_t{1} << 20, 64}, {2, 1, 0}, 4)).empty());
}

TEST_CASE("join_loops: the inverse of cut_off") {
    std::mt19937 random(3204);
    for (int i = 0; i < 1000; ++i) {
        const dim_t index_step = static_cast<dim_t>(random() % 40) + 1;
        const plan_loop loop{.extent = static_cast<dim_t>(random() % 2000) + 2,
                             .src = static_cast<dim_t>(random() % 5000),
                             .dst = -static_cast<dim_t>(random() % 5000),
                             .index_step = index_step};
        plan_loop other = loop;  // nothing to join
        other.axis = 1;
        reorder_plan plan;
        for (const plan_loop& one : {loop, other}) plan.loops.push_back(one);
        const inline_list<plan_loop, max_loops + 2> before = plan.loops;
        const dim_t steps = static_cast<dim_t>(random()) % (loop.extent - 1) + 1;
        const plan_loop inner = cut_off(plan.loops[0], steps);
        if (random() % 2 == 0) plan.loops.push_back(inner);
        else {  // loops may follow each other in any order
            plan.loops.push_back(plan.loops[0]);
            plan.loops[0] = inner;
        }
        join_loops(plan);
        REQUIRE(plan.loops.size() == 2);
        const bool is_same = (plan.loops[0] == before[0] && plan.loops[1] == before[1]) ||
                             (plan.loops[0] == before[1] && plan.loops[1] == before[0]);
        CHECK(is_same);
    }
}

TEST_CASE("large_order: loops beyond 1024 pages follow in the order of the destination, for random permutations") {
    std::mt19937 random(3202);
    int streamed = 0;
    for (int i = 0; i < 20; ++i) {
        const auto [extents, order] = next_permutation(random, dim_t{1} << 22);
        const reorder_plan plan = permutation_plan(extents, order, 4);
        if (!may_stream(plan)) continue;
        ++streamed;
        // Pages are counted as if each began at the first element that is written there; it may begin earlier.
        int outside = plan.loops.size();
        while (outside > 0 && pages_written(plan, outside - 1).size() <= 2 * open_pages) --outside;
        for (int k = outside - 2; k >= 0; --k) CHECK(step_size(plan.loops[k].dst) >= step_size(plan.loops[k + 1].dst));
    }
    CHECK(streamed > 5);
}

TEST_CASE("prefetch_distance: most prefetched tiles follow, at most 64 tiles later") {
    std::mt19937 random(3203);
    int prefetching = 0;
    for (int i = 0; i < 20; ++i) {
        const auto [extents, order] = next_permutation(random, dim_t{1} << 22);
        const reorder_plan plan = permutation_plan(extents, order, 4);
        if (!may_stream(plan) || plan.prefetch == 0) continue;
        ++prefetching;
        const std::vector<tile_place> tiles = tiles_of(plan);
        std::map<dim_t, std::size_t> last;  // where a place of the source is last in the order
        for (std::size_t k = 0; k < tiles.size(); ++k) last[tiles[k].first] = k;
        std::size_t useful = 0;
        for (std::size_t k = 0; k < tiles.size(); ++k) {
            const auto found = last.find(tiles[k].first + plan.prefetch);
            useful += found != last.end() && found->second > k;
        }
        CHECK(5 * useful >= 3 * tiles.size());
    }
    CHECK(prefetching > 5);
}

TEST_CASE("prefetch_distance: nothing is prefetched if most steps lead elsewhere") {
    reorder_plan plan;
    const auto add = [&](dim_t extent, dim_t src) {
        plan_loop loop;
        loop.extent = extent;
        loop.src = src;
        plan.loops.push_back(loop);
    };
    CHECK(prefetch_distance(plan) == 0);
    add(3, 1000);
    add(4, 16);
    CHECK(prefetch_distance(plan) == 0);  // 2 of 3 steps of the outer loop, 8 of 4 of the inner one
    add(100, 1);
    CHECK(prefetch_distance(plan) == 8);  // 8 of 100
    plan.loops = {};
    add(50, 4000);
    add(8, 1);
    CHECK(prefetch_distance(plan) == 4000);  // 1 of 50, which is 8 tiles ahead
    plan.loops[0].src = 8;                   // goes on where the 8 steps end: 400 steps in a row
    CHECK(prefetch_distance(plan) == 8);
}

TEST_CASE("span_in_sparse_source: large sources of which at most half is moved, in tiles of a few lines") {
    const auto span_of = [](dim_t elements, dim_t source, dim_t step) {
        reorder_plan plan;
        plan.sizes = element_sizes(2);
        plan.elements = elements;
        plan.src_offset = 1000;
        plan.src_end = 1000 + source;
        plan.bits.push_back({1, 100, 1, 0});
        plan.bits.push_back({step, 1, 1, 1});
        return span_in_sparse_source(plan);
    };
    constexpr dim_t large = 4 << 20;
    CHECK(span_of(large / 2, large, 32) == 2 * 34);
    CHECK(span_of(large / 2 + 1, large, 32) == 0);
    CHECK(span_of(large / 4, large - 1, 32) == 0);
    CHECK(span_of(large / 4, large, 2046) == 4096);
    CHECK(span_of(large / 4, large, 2047) == 0);
    CHECK(span_of(large / 4, large, -32) == 0);
}

}  // namespace

/// Returns the number of orders that a plan tries in addition to its own, and of those that store past the caches.
struct tried {
    std::size_t orders = 0, past_caches = 0;
    bool operator==(const tried&) const = default;
};
tried tried_by(const reorder_plan& plan) {
    tried out;
    for (const loop_order& order : orders_to_try(plan)) {
        ++out.orders;
        out.past_caches += order.past_caches;
    }
    return out;
}

TEST_CASE(
    "orders_to_try: none below 2 MB of lines; of plans that write whole lines, past the caches from 8 MB, into them to "
    "512") {
    const auto tried_by_square = [](dim_t extent, int bytes) {
        return tried_by(permutation_plan({extent, extent}, {1, 0}, bytes));
    };
    CHECK(tried_by_square(511, 4) == tried{0, 0});
    CHECK(tried_by_square(512, 4) == tried{3, 0});
    CHECK(tried_by_square(1023, 1) == tried{0, 0});
    CHECK(tried_by_square(1024, 1) == tried{3, 0});
    CHECK(tried_by_square(1023, 4) == tried{3, 0});
    CHECK(tried_by_square(1024, 4) == tried{4, 1});
    CHECK(tried_by_square(1760, 4) == tried{4, 1});
    CHECK(tried_by_square(1773, 4) == tried{3, 0});  // no whole lines
    CHECK(tried_by_square(1774, 4) == tried{5, 5});
    CHECK(tried_by_square(1776, 4) == tried{10, 5});
    CHECK(tried_by_square(8176, 4) == tried{10, 5});
    CHECK(tried_by_square(8192, 4) == tried{5, 5});
    CHECK(most_orders == 1 + 11);
}

TEST_CASE("bytes_in_caches: all lines of which a plan needs a part, on both sides") {
    const auto bytes_of = [](const layout& from, const layout& to, int bytes) {
        const std::optional<reorder_plan> plan = make_plan(from, to, element_sizes(bytes), isa::avx2);
        REQUIRE(plan);
        return bytes_in_caches(*plan);
    };
    const dims one{1, 128, 16, 32}, dense{64, 128}, triples{64, 3, 32}, spread{1, 256, 1, 1};
    CHECK(bytes_of(layout(one, "BcdA16a64b4a"), layout(one, "aBcd32b"), 1) == (4 + 1) * 65536);
    CHECK(bytes_of(layout(dense, "ab"), layout(dense, "ba"), 4) == 2 * 64 * 128 * 4);
    CHECK(bytes_of(layout(triples, "acb"), layout(triples, "abc"), 1) == 2 * 64 * 3 * 32);
    CHECK(bytes_of(layout(spread, "aBcd16b"), layout(spread, "Abcd16a"), 4) == (1 + 16) * 1024);
}

TEST_CASE("orders_to_try: a plan that moves 1 MB has orders to try if its lines are more than 2 MB") {
    const dims one{1, 128, 64, 64};
    const std::optional<reorder_plan> plan =
        make_plan(layout(one, "BcdA16a64b4a"), layout(one, "aBcd32b"), element_sizes(1), isa::avx2);
    REQUIRE(plan);
    CHECK(plan->bytes_moved() == 1 << 20);
    CHECK(tried_by(*plan) == tried{3, 0});
}

TEST_CASE("orders_to_try: other stores alone for a plan of one loop, of uneven steps, or whose tiles need staging") {
    for (const auto& [extent, wanted] :
         {std::pair<dim_t, tried>{512, {0, 0}}, {1024, {1, 1}}, {2048, {1, 0}}, {8192, {0, 0}}}) {
        const reorder_plan square = permutation_plan({extent, extent}, {1, 0}, 4);
        CHECK(tried_by(square) != wanted);
        reorder_plan other = square;
        other.staged_from = 1;
        other.pattern.half_bytes = 0;
        CHECK(tried_by(other) == wanted);
        other = square;
        other.uneven_steps.push_back({});
        CHECK(tried_by(other) == wanted);
        other = square;
        other.loops = {};
        other.loops.push_back(square.loops[0]);
        CHECK(tried_by(other) == wanted);
        for (const loop_order& order : orders_to_try(other)) CHECK(in_order(other, order) == other);
    }
}

/// Bytes with AVX2: tiles of 16 x 16 write quarters of lines.
TEST_CASE("orders_to_try: a staging buffer that makes whole lines, if tiles write parts of them") {
    const auto plan_of = [](dim_t rows, dim_t columns) {
        const layout from({rows, columns}, "ab"), to({rows, columns}, "ba");
        const std::optional<reorder_plan> plan = make_plan(from, to, element_sizes(1), isa::avx2);
        REQUIRE(plan);
        REQUIRE(plan->contiguous_bytes() < cache_line_bytes);
        return *plan;
    };
    int staged = 0;
    for (const auto& [rows, columns] : {std::pair<dim_t, dim_t>{3584, 4096}, {4096, 3584}, {8192, 2048}}) {
        const reorder_plan plan = plan_of(rows, columns);
        CHECK(!can_stream(plan));
        CHECK(tried_by(plan) == tried{6, 6});
        const reorder_plan by_lines = in_order(plan, orders_to_try(plan)[0]);
        staged += by_lines.stages_whole_lines();
        std::set<tile_place> places, same;
        for (const tile_place& place : tiles_of(plan)) places.insert(place);
        for (const tile_place& place : tiles_of(by_lines)) same.insert(place);
        CHECK(same == places);
        for (int chunk = 0; chunk < 3; ++chunk)
            CHECK(can_stream(in_order(plan_of_part(plan, part_of(plan, chunk_number{chunk, 3})), by_staged_lines)));
    }
    CHECK(staged == 3);
    CHECK(tried_by(plan_of(3600, 4100)) == tried{5, 5});  // axes end inside tiles
    CHECK(tried_by(plan_of(2048, 2048)) == tried{3, 0});  // 8 MB
}

TEST_CASE("run_of_loops: what the tile and the loops inside write without a gap, or 0") {
    const auto plan_of = [](const dims& extents, const char* to) {
        return *make_plan(layout(extents, "abc"), layout(extents, to), element_sizes(4), isa::avx512);
    };
    // 12 of 16 places of a, 16 of b and c together: runs of 192, of which 20 fill a buffer.
    reorder_plan plan = plan_of({12, 3, 1600}, "bca");
    stage_run(plan);
    REQUIRE(plan.bounds.size() == 1);
    const int loops = plan.loops.size();
    CHECK(run_of_loops(plan, loops) == 192);
    CHECK(plan.staged_run == 192 * 20);
    CHECK(plan.staged_from == loops - 1);
    CHECK(run_of_loops(plan, loops - 1) == 192 * 20);
    CHECK(run_of_loops(plan, 0) == 12 * 3 * 1600);
    // Rows of 1600 with 12 of 16 lanes: a tile leaves gaps, all of a row does not.
    const reorder_plan rows = plan_of({3, 12, 1600}, "cba");
    CHECK(run_of_loops(rows, rows.loops.size()) == 0);
    CHECK(run_of_loops(rows, 0) == 3 * 12 * 1600);
    // Each step of the loop around an axis that ends in a tile would write another number of places.
    reorder_plan ended = plan_of({20, 3, 1600}, "bca");
    REQUIRE(ended.loops.size() == 2);
    sort_loops(ended.loops, [](const plan_loop& loop) { return -loop.src; });
    for (int k = 0; k < ended.loops.size(); ++k)
        if (ended.loops[k].bound >= 0) CHECK(run_of_loops(ended, k + 1) == 0);
}

TEST_CASE("orders_to_try: a staging buffer that is stored as one run, from 8 MB, if tiles write no whole lines") {
    const auto first_of = [](const dims& extents) {
        const reorder_plan plan = permutation_plan(extents, {1, 0}, 4);
        const auto orders = orders_to_try(plan);
        return !orders.empty() && orders[0].stages_run ? static_cast<int>(orders.size()) : 0;
    };
    CHECK(first_of({12, 65536}) == 0);   // 6 MB
    CHECK(first_of({12, 131072}) == 1);  // one loop: no other order
    CHECK(first_of({20, 131072}) == 4);
    CHECK(first_of({20, 262144}) == 6);
    CHECK(first_of({16, 262144}) == 0);  // whole lines
    CHECK(first_of({300, 16384}) == 0);  // a run of 16 places is longer than a buffer
    CHECK(first_of({12, 131088}) == 1);  // 8193 tiles: in threes
}

TEST_CASE("in_order: only an order that says so prefetches the lines that tiles write") {
    const reorder_plan plan = run_time_form(permutation_plan({767, 513}, {1, 0}, 4));
    CHECK(plan.destination_prefetch == destination_ahead(plan));
    CHECK(plan.destination_prefetch != 0);
    int prefetching = 0;
    for (const loop_order& order : orders_to_try(plan)) {
        const reorder_plan other = in_order(plan, order);
        CHECK(other.destination_prefetch == (order.fetches_destination ? destination_ahead(other) : 0));
        CHECK((order.is_plans_own || other.staged_from == -1));
        prefetching += other.destination_prefetch != 0;
    }
    CHECK(prefetching == 1);
}

TEST_CASE("in_order: every tile is moved, and nothing else, in each order, for random permutations and chunks") {
    std::mt19937 random(3201);
    int streamed = 0, cached = 0, staged = 0;
    for (int i = 0; i < 40; ++i) {
        const auto [extents, order] = next_permutation(random, i % 2 == 0 ? dim_t{1} << 22 : dim_t{1} << 19);
        const reorder_plan first = permutation_plan(extents, order, 4);
        if (!first.bounds.empty() || orders_to_try(first).empty()) continue;
        ++(may_stream(first) ? streamed : cached);
        staged += first.staged_from >= 0;
        // The tiles are boxes of the tensor: each of its elements is in one.
        const std::vector<dim_t> in_tile = places_in_tile(first);
        std::set<tile_place> places;
        for (const tile_place& place : tiles_of(first)) places.insert(place);
        CHECK(static_cast<dim_t>(places.size() * in_tile.size()) == first.elements);
        std::vector<bool> written(static_cast<std::size_t>(first.elements));
        for (const auto& [src, dst] : places)
            for (const dim_t more : in_tile) written.at(static_cast<std::size_t>(dst + more)) = true;
        CHECK(std::count(written.begin(), written.end(), false) == 0);
        for (const loop_order& other : orders_to_try(first)) {
            std::set<tile_place> same;
            for (const tile_place& place : tiles_of(in_order(first, other))) same.insert(place);
            CHECK(same == places);
            same.clear();
            for (int chunk = 0; chunk < 3; ++chunk) {
                const reorder_plan part = plan_of_part(first, part_of(first, chunk_number{chunk, 3}));
                for (const auto& [src, dst] : tiles_of(in_order(part, other)))
                    same.emplace(src + part.src_offset, dst + part.dst_offset);
            }
            CHECK(same == places);
        }
    }
    CHECK(streamed > 5);
    CHECK(cached > 5);
    CHECK(staged > 0);
}

}  // namespace test_engine_plan_order_loops
