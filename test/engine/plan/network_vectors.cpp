// The vectors that the instructions of a networks as tables read, byte by byte, and their cost.

#include <plait/engine/plan/lane_network.hpp>

#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>

namespace test_engine_plan_network_vectors {

using namespace plait;
using namespace plait::engine;
using namespace plait_test;

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

}  // namespace test_engine_plan_network_vectors
