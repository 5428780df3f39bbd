// Networks as data, byte by byte and without an instruction: the result of find_lane_network moves every byte to its
// destination, and the vectors agree with the network.

#include <plait/engine/plan/lane_network.hpp>

#include "engine/plan/network_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>  // std::next_permutation
#include <array>

namespace test_engine_plan_lane_network {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

TEST_CASE("find_lane_network: moves every byte to its destination, by the network and by its vectors") {
    random_source random(11);
    int orders = 0, parts_of_three = 0, merged = 0;
    for (int i = 0; i < 4000; ++i) {
        const int element_bits = static_cast<int>(random.between(0, 3));
        const isa which = std::array{isa::avx512, isa::avx2, isa::sse41}[static_cast<std::size_t>(i % 3)];
        const tile_pattern p = random_pattern(random, element_bits, log2_of(vector_bytes(which)));
        const lane_network network = find_lane_network(p, element_bits);
        INFO(i, ": ", p.lane_bits, " lane bits, ", p.register_bits, " register bits, elements of ", 1 << element_bits);
        registers by_network = load(p, network, element_bits), by_vectors = by_network;
        run_network(by_network, network);
        REQUIRE(is_in_place(by_network, p, network, element_bits));
        network_vectors vectors;
        fill_vectors(vectors, network, which);
        run_vectors(by_vectors, vectors, network, which);
        REQUIRE(by_vectors == by_network);
        orders += !network.order.keeps(0, network.lane_bits);
        parts_of_three += vectors.goes_before && vectors.goes_across;
        merged += !network.order.keeps(0, network.lane_bits) && !vectors.goes_before && !vectors.goes_across &&
                  !vectors.goes_after;
    }
    CHECK(orders > 500);
    CHECK(parts_of_three > 50);
    CHECK(merged > 50);
}

TEST_CASE("find_lane_network: the bit whose bytes exchange halves is the highest register bit then") {
    random_source random(12);
    int before = 0, after = 0;
    for (int i = 0; i < 4000; ++i) {
        const isa which = std::array{isa::avx512, isa::avx2, isa::sse41}[static_cast<std::size_t>(i % 3)];
        tile_pattern p = random_pattern(random, 0, log2_of(vector_bytes(which)));
        p.half_bytes = static_cast<int>(random.between(0, p.lane_bits + p.register_bits - 1));
        bool enters = false, stays = false;
        for (const int bit : p.dst_lanes) {
            enters = enters || bit >= p.lane_bits;
            stays = stays || bit == p.half_bytes;
        }
        if (p.half_bytes < p.lane_bits && (!enters || stays)) continue;
        const lane_network network = find_lane_network(p, 0);
        const int highest = p.register_bits - 1;
        if (network.half_bytes == half_byte_exchange::before) CHECK(network.loaded_registers[highest] == p.half_bytes);
        else CHECK(network.stored_registers[highest] == p.half_bytes);
        CHECK(network.shuffles());
        registers by_network = load(p, network, 0), by_vectors = by_network;
        run_network(by_network, network);
        REQUIRE(is_in_place(by_network, p, network, 0));
        network_vectors vectors;
        fill_vectors(vectors, network, which);
        CHECK(vectors.half_bytes == network.half_bytes);
        run_vectors(by_vectors, vectors, network, which);
        REQUIRE(by_vectors == by_network);
        before += network.half_bytes == half_byte_exchange::before;
        after += network.half_bytes == half_byte_exchange::after;
    }
    CHECK(before > 500);
    CHECK(after > 100);
}

TEST_CASE("find_lane_network: nchw -> nhwc of f32 needs four exchanges and no order") {
    tile_pattern p;
    p.lane_bits = p.register_bits = 4;
    for (const int bit : {4, 5, 6, 7}) p.dst_lanes.push_back(bit);
    const lane_network network = find_lane_network(p, 2);
    for (int k = 0; k < 4; ++k) CHECK(network.exchanged[k] == k + 2);
    CHECK(network.order == bit_order{});
    CHECK(cost_of_network(network, isa::avx512) == 4 * 2);
}

TEST_CASE("order_parts: applied in sequence they give the order") {
    std::array<std::int8_t, 6> bits{0, 1, 2, 3, 4, 5};
    do {
        bit_order order;
        for (int t = 0; t < 6; ++t) order.from[t] = bits[static_cast<std::size_t>(t)];
        const order_parts parts(order, 6);
        CHECK(parts.before.keeps(4, 6));
        CHECK(parts.across.keeps(0, 2));
        CHECK(parts.after.keeps(4, 6));
        for (int i = 0; i < 64; ++i)
            REQUIRE(source_of(parts.before, source_of(parts.across, source_of(parts.after, i))) == source_of(order, i));
    } while (std::next_permutation(bits.begin(), bits.end()));
}

}  // namespace test_engine_plan_lane_network
