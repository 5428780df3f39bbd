#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/split_plan.hpp>

#include "engine/plan/permutation_plans.hpp"
#include "support/small_layouts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace test_engine_plan_large_order { namespace {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

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
        for (int k = outside - 2; k >= 0; --k) CHECK(magnitude(plan.loops[k].dst) >= magnitude(plan.loops[k + 1].dst));
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

}}  // namespace test_engine_plan_large_order
