#pragma once
// The shuffles of instruction sets, and what the searches for networks share: the bits that a network must bring into
// lanes, and the cost of a step. network.hpp searches for a network that is a constant in the code of a kernel,
// lane_network.hpp for one that is data.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/engine/plan/plan.hpp>
#include <plait/support/inline_list.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

inline constexpr int max_lane_bits = 6;  ///< 64 bytes

/// The kind of a tile's network: a constant in the code of its kernel, or data that a kernel reads.
enum class network_kind { constant, table };

/// True if kernels have registers of `bytes` bytes. Kernels whose network is a table have fewer sizes: with AVX-512,
/// half of a register is handled as a segment of it.
constexpr bool has_registers(network_kind network, isa instructions, int bytes) {
    return network == network_kind::constant || instructions != isa::avx512 || bytes != 32;
}
/// Returns the largest number of registers of a tile, as a power of two, if a register has `segments` segments on one
/// side. AVX2 has 16 registers, so a tile of 16 leaves none to shuffle with. More than 64 segments are much code.
constexpr int most_register_bits(network_kind network, int bytes, int segments) {
    if (network == network_kind::constant) return max_register_bits;
    return bytes == 32 || segments == 8 ? max_register_bits - 1 : max_register_bits;
}

/// Returns the approximate cost of a step that brings a register bit into a lane, for a register, in half cycles. Lane
/// bits count elements of `element_bytes` bytes.
///
/// - Constants: two shuffles within 128 bits fit in a cycle, and one across.
/// - Tables: AVX-512 reads an index vector, or shifts and selects. Other sets have an instruction for the halves of 128
///   bits, shift and select below four bytes, and shuffle 4-byte lanes.
constexpr int cost_of_step(network_kind network, isa instructions, int lane, int element_bytes) {
    const int byte_lane = lane + log2_of(element_bytes);
    if (network == network_kind::constant) return byte_lane < 4 ? 1 : 2;
    if (instructions == isa::avx512) return 2;
    if (instructions == isa::neon || byte_lane == 3) return 1;
    return byte_lane < 2 ? 3 : 2;
}
/// Returns the least cost of a step of a network that is a table.
constexpr int least_cost_of_step(isa instructions) { return cost_of_step(network_kind::table, instructions, 3, 1); }

/// The lane of a segment of the destination that each bit of a tile must reach; -1: none. Lanes count bytes of elements
/// of 2^element_bits bytes, or elements if that is 0.
struct wanted_lanes {
    std::int8_t of[max_tile_bits];

    constexpr wanted_lanes(const tile_pattern& pattern, int element_bits) : of{} {
        for (std::int8_t& lane : of) lane = -1;
        for (int l = 0; l < pattern.dst_lanes.size(); ++l)
            of[pattern.dst_lanes.values[l]] = static_cast<std::int8_t>(l + element_bits);
    }
};

/// The effect of a pair of instructions on the bits: a register bit enters the lane bits [first, last] at one end, they
/// move by one place, and the bit at the other end becomes the register bit. If first == last, the two are exchanged.
struct shuffle_rule {
    int first = 0, last = 0;
    bool upwards = true;  ///< the register bit enters at `first`, and `last` leaves
    constexpr bool operator==(const shuffle_rule&) const = default;
};

/// The instruction pairs that an instruction set has for vectors of a given number of lanes.
using shuffle_rules = inline_list<shuffle_rule, 8>;

/// Returns the two-register shuffles for vectors of 2^lane_bits elements of `element_bytes` bytes.
///
/// x86: unpack works within 128 bits and the new bit enters at the low end; with shuffles of 128-bit parts it enters at
/// the high end. NEON's zip is the same as unpack.
constexpr shuffle_rules rules_of(isa, int element_bytes, int lane_bits) {
    shuffle_rules rules;
    const int within = log2_of(16 / element_bytes);  // lane bits within 128 bits
    const int low = lane_bits < within ? lane_bits : within;
    if (low == within)
        for (int first = 0; first < low; ++first) rules.push_back({first, low - 1, true});
    if (lane_bits == within + 1) rules.push_back({within, within, true});
    if (lane_bits == within + 2) {
        rules.push_back({within, within + 1, false});
        rules.push_back({within + 1, within + 1, true});
    }
    return rules;
}

}  // namespace plait::engine
