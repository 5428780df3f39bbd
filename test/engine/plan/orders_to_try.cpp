#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>
#include <plait/engine/plan/split_plan.hpp>

#include "engine/plan/permutation_plans.hpp"

#include <doctest/doctest.h>

#include <set>

namespace test_engine_plan_orders_to_try {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

TEST_CASE("orders_to_try: none below 2 MB; three up to 24 MB; then five") {
    const auto orders_of_square = [](dim_t extent, int bytes) {
        return orders_to_try(permutation_plan({extent, extent}, {1, 0}, bytes)).size();
    };
    CHECK(orders_of_square(511, 4) == 0);
    CHECK(orders_of_square(512, 4) == 3);
    CHECK(orders_of_square(1773, 4) == 3);
    CHECK(orders_of_square(1774, 4) == 5);
    CHECK(orders_of_square(1023, 1) == 0);
    CHECK(orders_of_square(1024, 1) == 3);
}

TEST_CASE("orders_to_try: none for a plan of one loop, of uneven steps, or whose tiles need a staging buffer") {
    const reorder_plan square = permutation_plan({1024, 1024}, {1, 0}, 4);
    REQUIRE(square.staged_from >= 0);
    CHECK(orders_to_try(square).size() == 3);
    reorder_plan other = square;
    other.pattern.half_bytes = 0;
    CHECK(orders_to_try(other).empty());
    other = square;
    other.uneven_steps.push_back({});
    CHECK(orders_to_try(other).empty());
    other = square;
    other.loops = {};
    other.loops.push_back(square.loops[0]);
    CHECK(orders_to_try(other).empty());
}

TEST_CASE("in_order: only an order that says so prefetches the lines that tiles write") {
    const reorder_plan plan = run_time_form(permutation_plan({767, 513}, {1, 0}, 4));
    CHECK(plan.destination_prefetch == destination_ahead(plan));
    CHECK(plan.destination_prefetch != 0);
    int prefetching = 0;
    for (const loop_order& order : orders_to_try(plan)) {
        const reorder_plan other = in_order(plan, order);
        CHECK(other.destination_prefetch == (order.fetches_destination ? destination_ahead(other) : 0));
        CHECK(other.staged_from == -1);
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

}  // namespace test_engine_plan_orders_to_try
