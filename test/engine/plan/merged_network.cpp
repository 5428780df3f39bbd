#include <plait/engine/plan/lane_network.hpp>

#include "engine/plan/network_model.hpp"

#include <doctest/doctest.h>

namespace test_engine_plan_merged_network {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

TEST_CASE("merged_network: moves every byte to its destination, by the network and by its vectors") {
    random_source random(2811);
    int found = 0, better = 0;
    for (int i = 0; i < 20000; ++i) {
        const int element_bits = static_cast<int>(random.between(0, 1));
        const tile_pattern p = random_pattern(random, element_bits, 6);
        const merged_network merged(p, element_bits);
        if (!merged.found) continue;
        ++found;
        INFO(i, ": ", p.lane_bits, " lane bits, ", p.register_bits, " register bits, elements of ", 1 << element_bits);
        registers by_network = load(p, merged.network, element_bits), by_vectors = by_network;
        run_network(by_network, merged.network);
        REQUIRE(is_in_place(by_network, p, merged.network, element_bits));
        network_vectors vectors;
        fill_vectors(vectors, merged.network, isa::avx512);
        run_vectors(by_vectors, vectors, merged.network, isa::avx512);
        REQUIRE(by_vectors == by_network);
        const int others = cost_of_network(find_lane_network(p, element_bits), isa::avx512),
                  cost = cost_of_network(find_table_network(p, element_bits, isa::avx512), isa::avx512);
        CHECK(cost <= others);
        CHECK(cost <= cost_of_network(merged.network, isa::avx512));
        better += cost < others;
    }
    CHECK(found > 2000);
    CHECK(better > 300);
}

TEST_CASE("merged_network: u8 nchw -> nChw16c and back need one shuffle in addition to four exchanges") {
    tile_pattern to_blocks, back;
    to_blocks.lane_bits = back.lane_bits = 6;
    to_blocks.register_bits = back.register_bits = 4;
    for (const int bit : {6, 7, 8, 9, 0, 1}) to_blocks.dst_lanes.push_back(bit);
    for (const int bit : {4, 5, 6, 7, 8, 9}) back.dst_lanes.push_back(bit);
    for (const tile_pattern& p : {to_blocks, back}) {
        const lane_network network = find_table_network(p, 0, isa::avx512);
        CHECK(network.within_at > 0);
        CHECK(network.order == bit_order{});
        CHECK(cost_of_network(network, isa::avx512) == 4 * 2 + 1);
        CHECK(cost_of_network(find_lane_network(p, 0), isa::avx512) == 4 * 2 + 4);
        CHECK(find_table_network(p, 0, isa::avx2) == find_lane_network(p, 0));
    }
}

}  // namespace test_engine_plan_merged_network
