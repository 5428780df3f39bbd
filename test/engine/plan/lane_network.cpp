// Networks as data, byte by byte and without an instruction: the result of find_lane_network moves every byte to its
// destination, and the vectors agree with the network.

#include <plait/engine/plan/network_vectors.hpp>

#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <algorithm>  // std::next_permutation
#include <array>
#include <vector>

namespace test_engine_plan_lane_network {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

namespace {

/// A tile in registers; each byte is the number of the place from which it was loaded.
using registers = std::vector<std::array<int, 64>>;

/// Returns a byte's number, from the bits of the tile and its position in the element.
int number_of(const std::vector<int>& tile_bits, int lane, int element_bits) {
    int number = lane & ((1 << element_bits) - 1);
    for (std::size_t bit = 0; bit < tile_bits.size(); ++bit)
        number |= tile_bits[bit] << (static_cast<int>(bit) + element_bits);
    return number;
}

tile_pattern random_pattern(random_source& random, int element_bits, int widest) {
    tile_pattern p;
    p.lane_bits = static_cast<int>(random.between(4, widest)) - element_bits;
    p.register_bits = static_cast<int>(random.between(0, max_register_bits));
    const int bits = p.lane_bits + p.register_bits;
    p.src_upper_bits = static_cast<int>(random.between(0, p.lane_bits));
    std::vector<int> left;
    for (int bit = 0; bit < bits; ++bit) left.push_back(bit);
    const int piece = static_cast<int>(random.between(0, p.lane_bits));
    for (int lane = 0; lane < piece; ++lane) {
        // Often the bit that is already there.
        std::size_t at = static_cast<std::size_t>(random.between(0, static_cast<int>(left.size()) - 1));
        if (random.once_in(2))
            for (std::size_t k = 0; k < left.size(); ++k)
                if (left[k] == lane) at = k;
        p.dst_lanes.push_back(left[at]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return p;
}

registers load(const tile_pattern& p, const lane_network& network, int element_bits) {
    registers r(std::size_t{1} << p.register_bits);
    for (std::size_t number = 0; number < r.size(); ++number)
        for (int lane = 0; lane < 1 << network.lane_bits; ++lane) {
            std::vector<int> bits(static_cast<std::size_t>(p.lane_bits + p.register_bits));
            for (int b = 0; b < p.lane_bits; ++b) bits[static_cast<std::size_t>(b)] = lane >> (b + element_bits) & 1;
            for (int k = 0; k < p.register_bits; ++k)
                bits[static_cast<std::size_t>(network.loaded_registers[k])] = static_cast<int>(number >> k & 1);
            r[number][static_cast<std::size_t>(lane)] = number_of(bits, lane, element_bits);
        }
    return r;
}

/// By definition: exchanges, then the order.
void run_network(registers& r, const lane_network& network) {
    const int lanes = 1 << network.lane_bits;
    for (int k = 0; k < network.register_bits; ++k) {
        if (network.exchanged[k] < 0) continue;
        const registers before = r;
        for (std::size_t number = 0; number < r.size(); ++number)
            for (int lane = 0; lane < lanes; ++lane) {
                const int at = network.exchanged[k], register_bit = static_cast<int>(number >> k & 1),
                          lane_bit = lane >> at & 1;
                const std::size_t from = (number & ~(std::size_t{1} << k)) | static_cast<std::size_t>(lane_bit) << k;
                r[number][static_cast<std::size_t>(lane)] =
                    before[from][static_cast<std::size_t>((lane & ~(1 << at)) | register_bit << at)];
            }
    }
    for (auto& one : r) {
        const auto before = one;
        for (int lane = 0; lane < lanes; ++lane)
            one[static_cast<std::size_t>(lane)] = before[static_cast<std::size_t>(source_of(network.order, lane))];
    }
}

/// By the vectors, as the instructions read them.
void run_vectors(registers& r, const network_vectors& v, const lane_network& network, isa which) {
    const int lanes = 1 << network.lane_bits;
    for (int k = 0; k < network.register_bits; ++k) {
        const int at = v.exchanged[k];
        if (at < 0) continue;
        for (std::size_t low = 0; low < r.size(); ++low) {
            if ((low >> k & 1) != 0) continue;
            const std::size_t high = low | std::size_t{1} << k;
            const auto a = r[low], b = r[high];
            for (int i = 0; i < lanes; ++i) {
                const auto here = static_cast<std::size_t>(i);
                if (at < 2) {
                    // Shifts of four bytes by whole bytes, and a choice between both for each.
                    const int shifted = v.exchanges[k][1].byte(i & ~3) / 8;
                    const bool one = v.exchanges[k][0].byte(i) == 0xff;
                    REQUIRE((one || v.exchanges[k][0].byte(i) == 0));
                    REQUIRE((shifted == 1 || shifted == 2));
                    r[low][here] = one ? b[here - static_cast<std::size_t>(shifted)] : a[here];
                    r[high][here] = one ? b[here] : a[here + static_cast<std::size_t>(shifted)];
                } else if (which == isa::avx512) {
                    for (const int second : {0, 1}) {
                        const int index = v.exchanges[k][second].byte(i & ~3);
                        const auto& from = index < lanes / 4 ? a : b;
                        r[second == 0 ? low : high][here] =
                            from[static_cast<std::size_t>(index % (lanes / 4) * 4 + i % 4)];
                    }
                } else {
                    const bool one = (i >> at & 1) != 0;
                    r[low][here] = one ? b[static_cast<std::size_t>(i & ~(1 << at))] : a[here];
                    r[high][here] = one ? b[here] : a[static_cast<std::size_t>(i | 1 << at)];
                }
            }
        }
    }
    const auto within = [&](const lane_vector& from) {
        for (auto& one : r) {
            const auto before = one;
            for (int i = 0; i < lanes; ++i)
                one[static_cast<std::size_t>(i)] = before[static_cast<std::size_t>((i & ~15) + from.byte(i))];
        }
    };
    if (v.goes_before) within(v.before);
    if (v.goes_across) {
        CHECK(network.lane_bits > 4);
        for (auto& one : r) {
            const auto before = one;
            for (int i = 0; i < lanes; ++i)
                one[static_cast<std::size_t>(i)] = before[static_cast<std::size_t>(v.across.byte(i & ~3) * 4 + i % 4)];
        }
    }
    if (v.goes_after) within(v.after);
}

/// True if each byte of a segment of the destination is the right one.
bool is_in_place(const registers& r, const tile_pattern& p, const lane_network& network, int element_bits) {
    const int piece = p.dst_lanes.size();
    for (std::size_t number = 0; number < r.size(); ++number)
        for (int lane = 0; lane < 1 << network.lane_bits; ++lane) {
            std::vector<int> bits(static_cast<std::size_t>(p.lane_bits + p.register_bits), -1);
            for (int t = 0; t < p.lane_bits; ++t) {
                const int bit = t < piece ? p.dst_lanes[t] : network.stored_lanes[t + element_bits];
                bits[static_cast<std::size_t>(bit)] = lane >> (t + element_bits) & 1;
            }
            for (int k = 0; k < p.register_bits; ++k)
                bits[static_cast<std::size_t>(network.stored_registers[k])] = static_cast<int>(number >> k & 1);
            for (const int bit : bits)
                if (bit < 0) return false;  // counted by nothing
            if (r[number][static_cast<std::size_t>(lane)] != number_of(bits, lane, element_bits)) return false;
        }
    return true;
}

}  // namespace

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
