// The networks that an instruction set takes, byte by byte and without an instruction.
#include <plait/engine/plan/table_network.hpp>

#include "engine/plan/network_model.hpp"
#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>

namespace test_engine_plan_table_network {

using namespace plait;
using namespace plait::detail;
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
    }
}

TEST_CASE("turning_network: moves every byte to its destination, by the network and by its vectors") {
    random_source random(2911);
    int found = 0, better = 0, with_shuffle = 0;
    for (int i = 0; i < 20000; ++i) {
        const int element_bits = static_cast<int>(random.between(0, 3));
        const isa which = random.once_in(2) ? isa::avx2 : isa::sse41;
        const tile_pattern p = random_pattern(random, element_bits, log2_of(vector_bytes(which)));
        const turning_network turning(p, element_bits);
        const int others = cost_of_network(find_lane_network(p, element_bits), which),
                  cost = cost_of_network(find_table_network(p, element_bits, which), which);
        INFO(i, ": ", p.lane_bits, " lane bits, ", p.register_bits, " register bits, elements of ", 1 << element_bits);
        REQUIRE(cost <= others);
        better += cost < others;
        if (!turning.found) continue;
        ++found;
        with_shuffle += turning.network.within_at >= 0;
        registers by_network = load(p, turning.network, element_bits), by_vectors = by_network;
        run_network(by_network, turning.network);
        REQUIRE(is_in_place(by_network, p, turning.network, element_bits));
        network_vectors vectors;
        fill_vectors(vectors, turning.network, which);
        run_vectors(by_vectors, vectors, turning.network, which);
        REQUIRE(by_vectors == by_network);
    }
    CHECK(found > 19000);
    CHECK(with_shuffle > 500);
    CHECK(better > 2000);
}

TEST_CASE("find_table_network: what transposes cost with SSE4.1 and AVX2") {
    const auto cost = [](int lane_bits, int register_bits, std::initializer_list<int> dst_lanes, int element_bits,
                         isa which) {
        tile_pattern p;
        p.lane_bits = lane_bits;
        p.register_bits = register_bits;
        for (const int bit : dst_lanes) p.dst_lanes.push_back(bit);
        return cost_of_network(find_table_network(p, element_bits, which), which);
    };
    // 16 x 16 bytes: four turns, and a shuffle within 128 bits. With 32 bytes the last bit comes down from lane bit 4.
    CHECK(cost(4, 4, {4, 5, 6, 7}, 0, isa::sse41) == 4 + 1);
    CHECK(cost(5, 3, {5, 6, 7, 4}, 0, isa::avx2) == 3 + 1 + 2);
    // 8 x 8 of two bytes, and of four: for four no shuffle is needed, and lane bit 4 has an exchange.
    CHECK(cost(3, 3, {3, 4, 5}, 1, isa::sse41) == 3 + 1);
    CHECK(cost(3, 3, {3, 4, 5}, 2, isa::avx2) == 2 + 2);
    CHECK(cost(2, 2, {2, 3}, 2, isa::sse41) == 2);
    // One bit that enters a lane bit from 2 upwards is exchanged.
    CHECK(cost(4, 1, {0, 1, 2, 4}, 0, isa::sse41) == 1);
    CHECK(cost(4, 1, {0, 1, 4, 3}, 0, isa::sse41) == 2);
    // Others have instructions of their own.
    CHECK(cost(4, 4, {4, 5, 6, 7}, 0, isa::neon) == 4);
}

}  // namespace test_engine_plan_table_network
