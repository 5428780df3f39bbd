// Networks as data, byte by byte and without an instruction: each network moves every byte to its destination, the
// vectors agree with the network, and their cost is that of their instructions.
#include <plait/engine/plan/lane_network.hpp>

#include "engine/plan/network_model.hpp"
#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <algorithm>  // std::next_permutation
#include <array>
#include <initializer_list>

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

TEST_CASE("fill: the words of a vector are the numbers, place by place") {
    random_source random(5);
    for (int i = 0; i < 300; ++i) {
        const int lane_bits = static_cast<int>(random.between(4, max_lane_bits)),
                  place_bytes = random.once_in(2) ? 1 : 4;
        const int place_bits = lane_bits - log2_of(place_bytes);
        turned_bits numbers;
        numbers.first = static_cast<std::uint64_t>(random.between(0, 255));
        for (int t = 0; t < place_bits; ++t) numbers.by_bit[t] = static_cast<std::uint64_t>(random.between(0, 255));
        lane_vector filled, wanted;
        fill(filled, numbers, place_bytes, lane_bits);
        for (int place = 0; place < 1 << place_bits; ++place) {
            std::uint64_t number = numbers.first;
            for (int t = 0; t < place_bits; ++t)
                if ((place >> t & 1) != 0) number ^= numbers.by_bit[t];
            const int byte = place * place_bytes;
            wanted.words[byte / 8] |= number << (8 * (byte % 8));
        }
        INFO(place_bytes, " bytes a place, 2^", lane_bits, " bytes");
        CHECK(filled == wanted);
    }
    lane_vector example;
    fill(example, {0, {2, 1, 4}}, 1, 4);
    for (int place = 0; place < 8; ++place)
        CHECK(example.byte(place) == (std::array{0, 2, 1, 3, 4, 6, 5, 7})[static_cast<std::size_t>(place)]);
}

TEST_CASE("cost_of_network: steps of exchanges, and of each part of an order") {
    const auto cost = [](int lane_bits, int register_bits, std::initializer_list<int> dst_lanes, int element_bits,
                         isa which) {
        tile_pattern p;
        p.lane_bits = lane_bits;
        p.register_bits = register_bits;
        for (const int bit : dst_lanes) p.dst_lanes.push_back(bit);
        return cost_of_network(find_lane_network(p, element_bits), which);
    };
    // A copy shuffles nothing.
    for (const isa which : every_isa) CHECK(cost(4, 2, {0, 1, 2, 3}, 0, which) == 0);
    // 16 x 16 bytes transposed: an exchange with each of the lane bits 0 to 3. SSE4.1 has an unpack for bit 3, shifts
    // and a blend for the others.
    CHECK(cost(4, 4, {4, 5, 6, 7}, 0, isa::sse41) == 3 + 3 + 2 + 1);
    CHECK(cost(4, 4, {4, 5, 6, 7}, 0, isa::neon) == 4);
    CHECK(cost(4, 4, {4, 5, 6, 7}, 0, isa::avx512) == 4 * 2);
    // Orders: within 16 bytes one instruction; of 4-byte lanes one across; both, and back within, where bits cross.
    CHECK(cost(4, 0, {1, 0, 2, 3}, 0, isa::sse41) == 1);
    CHECK(cost(4, 0, {2, 3, 0, 1}, 2, isa::avx512) == 2);
    CHECK(cost(6, 0, {5, 4, 3, 2, 1, 0}, 0, isa::avx512) == 1 + 2 + 1);
    // The order of 4-byte lanes costs nothing if a table exchanges, because its vectors include the order.
    CHECK(cost(4, 1, {4, 1, 3, 2}, 2, isa::avx512) == 2);
    CHECK(cost(4, 1, {4, 1, 3, 2}, 2, isa::avx2) == 2 + 2);
}

// The networks that an instruction set takes.

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

TEST_CASE("kept_networks: finds what find_table_network finds, and what it costs, in any order of patterns") {
    random_source random(2912);
    for (const isa which : {isa::sse41, isa::avx2, isa::avx512}) {
        const int element_bits = static_cast<int>(random.between(0, 3));
        kept_networks networks(element_bits, which);
        std::array<tile_pattern, 4> patterns;  // more than are kept
        for (tile_pattern& p : patterns) p = random_pattern(random, element_bits, log2_of(vector_bytes(which)));
        for (int i = 0; i < 200; ++i) {
            const tile_pattern& p = patterns[static_cast<std::size_t>(random.between(0, 3))];
            const lane_network network = find_table_network(p, element_bits, which);
            const kept_networks::kept& found = networks.find(p);
            REQUIRE(found.network == network);
            REQUIRE(found.cost == cost_of_network(network, which));
        }
    }
}

TEST_CASE("every_plain_exchange: the vectors of exchanges that no order follows") {
    for (int lane_bits = 4; lane_bits <= max_lane_bits; ++lane_bits)
        for (int lane = 2; lane < lane_bits; ++lane)
            for (int place = 0; place < 1 << (lane_bits - 2); ++place)
                for (const int second : {0, 1}) {
                    // Of two registers, lanes whose exchanged bit is set come from the second one.
                    const int bit = 1 << (lane - 2), from = place & ~bit,
                              wanted = from | (second << (lane - 2)) | ((place & bit) != 0 ? 1 << (lane_bits - 2) : 0);
                    CHECK(every_plain_exchange.of[lane_bits][lane][second].byte(4 * place) == wanted);
                }
}

}  // namespace test_engine_plan_lane_network
