#pragma once
// The index vectors and masks of a network that is a table, which its instructions read.
//
// Example: f32 nchw -> nChw16c with AVX-512: 16 registers of 16 lanes of 4 bytes, and register bit k is exchanged with
// lane bit k + 2. Of each two registers whose numbers differ in bit 0 the lanes 0 to 15 and 16 to 31 become
// 0 16 2 18 4 20 ... 14 30 in the first and 1 17 3 19 5 21 ... 15 31 in the second: two vectors of 16 indices.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/lane_network.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A register of up to 64 bytes, as stored in memory on a little-endian machine.
struct lane_vector {
    std::uint64_t words[8]{};

    constexpr std::uint8_t byte(int i) const { return static_cast<std::uint8_t>(words[i / 8] >> (8 * (i % 8))); }
    constexpr bool operator==(const lane_vector&) const = default;
};

/// A number for each place: number(place) is `first`, with the bits of by_bit[t] flipped for each bit t set in the
/// place.
///
/// Example: by_bit = {2, 1, 4}: places 0 to 7 have 0, 2, 1, 3, 4, 6, 5, 7
struct turned_bits {
    std::uint64_t first = 0, by_bit[max_lane_bits]{};
};

/// Writes the numbers as a vector, for places of one byte or of four. The numbers of a word are computed together by
/// multiplication, which never carries because no number has more than 8 bits.
constexpr void fill(lane_vector& out, const turned_bits& numbers, int place_bytes, int lane_bits) {
    const bool bytes = place_bytes == 1;
    std::uint64_t word = numbers.first * (bytes ? 0x0101010101010101 : 0x0000000100000001);
    int bit = 0;
    if (bytes) {
        word ^= numbers.by_bit[0] * 0x0100010001000100;
        word ^= numbers.by_bit[1] * 0x0101000001010000;
        word ^= numbers.by_bit[2] * 0x0101010100000000;
        bit = 3;
    } else {
        word ^= numbers.by_bit[0] << 32;
        bit = 1;
    }
    out.words[0] = word;
    for (int words = 1; words < 1 << (lane_bits - 3); words *= 2, ++bit) {
        const std::uint64_t turned = numbers.by_bit[bit] * (bytes ? 0x0101010101010101 : 0x0000000100000001);
        for (int k = 0; k < words; ++k) out.words[words + k] = out.words[k] ^ turned;
    }
}

/// The vectors that the instructions of a network read.
struct network_vectors {
    /// The lane bit that each register bit is exchanged with; -1: none.
    std::int8_t exchanged[max_register_bits] = {-1, -1, -1, -1};
    bool goes_before = false, goes_across = false, goes_after = false;  ///< the parts of the order that are needed
    std::int8_t within_at = -1;  ///< the exchange before which `before` orders, instead of after all; -1: none
    half_byte_exchange half_bytes = half_byte_exchange::none;
    bool shuffles = false;                           ///< false if there is nothing to do
    std::int8_t src_segments = 0, dst_segments = 0;  ///< segments of a register, as powers of two
    /// The vectors of each exchange. For lane bits 0 and 1: bytes of ones where the lane bit is set, and the number of
    /// bits that four bytes are shifted by. For higher lane bits, with AVX-512: the 4-byte lane of both registers that
    /// each lane takes.
    lane_vector exchanges[max_register_bits][2];
    /// The vectors of the order: bytes within each 16, 4-byte lanes of the register, and bytes within each 16 again.
    lane_vector before, across, after;

    constexpr bool operator==(const network_vectors&) const = default;
};

/// Writes the byte of its own 16 that each byte of a register takes.
constexpr void fill_within(lane_vector& out, const bit_order& order, int lane_bits) {
    turned_bits numbers;
    for (int t = 0; t < 4; ++t) numbers.by_bit[t] = std::uint64_t{1} << order.from[t];
    fill(out, numbers, 1, lane_bits);
}
/// Writes the 4-byte lane that each 4-byte lane of a register takes.
constexpr void fill_across(lane_vector& out, const bit_order& order, int lane_bits) {
    turned_bits numbers;
    for (int t = 2; t < lane_bits; ++t) numbers.by_bit[t - 2] = std::uint64_t{1} << (order.from[t] - 2);
    fill(out, numbers, 4, lane_bits);
}
/// Writes both vectors of an exchange of lane bit `lane` (at least 2), followed by an order of the 4-byte lanes.
///
/// Example: of 4 lanes, lane bit 2: the first register takes lanes 0 and 2 of both, 0 4 2 6, the second 1 5 3 7
constexpr void fill_exchange(lane_vector (&out)[2], int lane, const bit_order& order, int lane_bits) {
    turned_bits numbers;
    for (int t = 2; t < lane_bits; ++t) {
        const int from = order.from[t];
        // If the exchanged bit is set, the lane comes from the second register.
        numbers.by_bit[t - 2] = std::uint64_t{1} << (from == lane ? lane_bits - 2 : from - 2);
    }
    fill(out[0], numbers, 4, lane_bits);
    numbers.first = std::uint64_t{1} << (lane - 2);
    fill(out[1], numbers, 4, lane_bits);
}

/// Computes the vectors of a network for an instruction set. With AVX-512, the last exchange of 4-byte lanes, if there
/// is one, also orders them.
///
/// Post:    see run_network in test/reorder/lane_network.cpp
/// Cost:    some tens of nanoseconds at run time
constexpr void fill_vectors(network_vectors& out, const lane_network& network, isa instructions) {
    const int lane_bits = network.lane_bits;
    const bool has_tables = instructions == isa::avx512;
    bit_order order = network.order;
    int merges = -1;  // the exchange that orders
    if (has_tables && order.keeps(0, 2) && !order.keeps(2, lane_bits))
        for (int k = 0; k < network.register_bits; ++k)
            if (network.exchanged[k] >= 2) merges = k;
    // Exchanges of other register bits commute with it if they are of lane bits 0 and 1. Exchanges of other lane bits
    // are done before it, because steps are in the order of their register bits.
    for (int k = 0; k < network.register_bits; ++k) {
        const int lane = out.exchanged[k] = network.exchanged[k];
        if (lane < 0) continue;
        if (lane >= 2) {
            if (has_tables) fill_exchange(out.exchanges[k], lane, k == merges ? order : network.ordered[k], lane_bits);
            continue;
        }
        turned_bits ones, shift;
        ones.by_bit[lane] = 0xff;
        shift.first = std::uint64_t{8} << lane;
        fill(out.exchanges[k][0], ones, 1, lane_bits);
        fill(out.exchanges[k][1], shift, 4, lane_bits);
    }
    if (merges >= 0) order = {};
    const order_parts parts(order, lane_bits);
    out.goes_before = !parts.before.keeps(0, lane_bits);
    out.goes_across = !parts.across.keeps(0, lane_bits);
    out.goes_after = !parts.after.keeps(0, lane_bits);
    out.within_at = network.within_at;
    if (out.goes_before || out.within_at >= 0)
        fill_within(out.before, out.within_at >= 0 ? network.within : parts.before, lane_bits);
    if (out.goes_across) fill_across(out.across, parts.across, lane_bits);
    if (out.goes_after) fill_within(out.after, parts.after, lane_bits);
    out.half_bytes = network.half_bytes;
    out.shuffles = network.shuffles();
}

/// Returns the approximate cost of the network for a register, in half cycles: see cost_of_step.
constexpr int cost_of_network(const lane_network& network, isa instructions) {
    int cost = network.half_bytes == half_byte_exchange::none ? 0 : instructions == isa::avx512 ? 2 : 3, tables = 0;
    for (int k = 0; k < network.register_bits; ++k) {
        const int lane = network.exchanged[k];
        if (lane < 0) continue;
        tables += instructions == isa::avx512 && lane >= 2;
        cost += instructions == isa::avx512 ? 2 : lane == 3 || instructions == isa::neon ? 1 : lane < 2 ? 3 : 2;
    }
    cost += network.within_at >= 0;
    const bool merges = tables > 0 && network.order.keeps(0, 2);
    if (network.order.keeps(0, network.lane_bits) || merges) return cost;
    const order_parts parts(network.order, network.lane_bits);
    return cost + !parts.before.keeps(0, network.lane_bits) + 2 * !parts.across.keeps(0, network.lane_bits) +
           !parts.after.keeps(0, network.lane_bits);
}

}  // namespace plait::engine
