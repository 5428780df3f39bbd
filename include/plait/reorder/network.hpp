#pragma once
// Shuffle networks. Inside a tile of 2^k elements a reorder between power-of-two digits is a permutation of address
// bits: some bits count lanes of a vector register, the others count registers. Each step of two-register shuffles
// rotates one register bit and some lane bits; a network is the sequence of steps that brings the bits into place.

#include <plait/support/inline_list.hpp>

#include <optional>

namespace plait {

inline constexpr int max_tile_bits = 12;
inline constexpr int max_register_bits = 4;  // 16 registers: more spill

/// What one instruction pair does to the bits: a register bit enters the lane bits [first, last] at one end, they move
/// up by one place, and the one at the other end becomes the register bit. With first == last the two are exchanged.
struct shuffle_rule {
    int first = 0, last = 0;
    bool upwards = true;  ///< the register bit enters at `first`, and `last` leaves
    constexpr bool operator==(const shuffle_rule&) const = default;
};

/// The instruction pairs that an instruction set has for vectors of a given number of lanes.
using shuffle_rules = inline_list<shuffle_rule, 8>;

/// A rule, applied to all pairs of registers whose numbers differ in one bit.
struct shuffle_step {
    shuffle_rule rule;
    int register_bit = 0;
    constexpr bool operator==(const shuffle_step&) const = default;
};

/// Which bit of the tile is where. Bits are numbered by their place on the source side: 0 to lane_bits - 1 count lanes,
/// the others registers.
struct tile_pattern {
    int lane_bits = 0;
    int register_bits = 0;
    inline_list<int, 6> dst_lanes;  ///< the bit that each lane bit counts on the destination side
    /// The watched axis that each bit counts along, -1 for none: a tile may pass the end of one.
    inline_list<int, max_tile_bits> limits;

    constexpr int lanes() const { return 1 << lane_bits; }
    constexpr int registers() const { return 1 << register_bits; }
    constexpr bool operator==(const tile_pattern&) const = default;
};

/// The lanes of one side that count along a watched axis: lane bits [first, first + bits), or none.
struct lane_span {
    int first = 0, bits = 0;
};
constexpr lane_span lanes_along(const tile_pattern& pattern, int limit, bool source) {
    lane_span span;
    for (int lane = 0; lane < pattern.lane_bits; ++lane) {
        if (pattern.limits[source ? lane : pattern.dst_lanes[lane]] != limit) continue;
        if (span.bits++ == 0) span.first = lane;
    }
    return span;
}

/// Where the bits are at some point in a network.
struct bit_places {
    inline_list<int, 6> lanes;
    inline_list<int, max_register_bits> registers;

    constexpr explicit bit_places(const tile_pattern& pattern) {
        for (int b = 0; b < pattern.lane_bits; ++b) lanes.push_back(b);
        for (int b = 0; b < pattern.register_bits; ++b) registers.push_back(pattern.lane_bits + b);
    }
    constexpr void apply(const shuffle_step& step) {
        const auto [first, last, upwards] = step.rule;
        const int entering = registers[step.register_bit];
        registers[step.register_bit] = lanes[upwards ? last : first];
        if (upwards)
            for (int l = last; l > first; --l) lanes[l] = lanes[l - 1];
        else
            for (int l = first; l < last; ++l) lanes[l] = lanes[l + 1];
        lanes[upwards ? first : last] = entering;
    }
};

/// The steps from the source's order of bits to the destination's.
struct shuffle_network {
    inline_list<shuffle_step, 8> steps;
    bit_places ends;  ///< where the bits are behind the last step

    constexpr bool operator==(const shuffle_network& other) const { return steps == other.steps; }
};

/// Whether `depth` more steps can bring the bits into place; if so, the network has them, else it is as it was.
constexpr bool extend_network(shuffle_network& network, const tile_pattern& pattern, const shuffle_rules& rules,
                              int depth) {
    bool needed[max_tile_bits]{};
    for (int bit : pattern.dst_lanes) needed[bit] = true;
    int missing = pattern.lane_bits;
    bool in_place = true;
    for (int l = 0; l < pattern.lane_bits; ++l) {
        missing -= needed[network.ends.lanes[l]];
        in_place = in_place && network.ends.lanes[l] == pattern.dst_lanes[l];
    }
    if (in_place) return true;
    for (const shuffle_rule& rule : rules)
        for (int r = 0; r < pattern.register_bits; ++r) {
            // A step brings one bit into the lanes and takes one out: no step to lose where each has to bring one.
            const int leaving = network.ends.lanes[rule.upwards ? rule.last : rule.first];
            const int left = missing - needed[network.ends.registers[r]] + needed[leaving];
            if (left > depth - 1) continue;
            network.ends.apply({rule, r});
            network.steps.push_back({rule, r});
            if (extend_network(network, pattern, rules, depth - 1)) return true;
            network.steps.erase(network.steps.size() - 1);
            network.ends.apply({{rule.first, rule.last, !rule.upwards}, r});  // the way back
        }
    return false;
}

/// The shortest network for a pattern; empty where the rules cannot do it.
///
/// Post:    result.ends.lanes == pattern.dst_lanes
/// Cost:    a search, cut off by the number of bits that still have to come into the lanes
constexpr std::optional<shuffle_network> find_network(const tile_pattern& pattern, const shuffle_rules& rules) {
    shuffle_network network{{}, bit_places(pattern)};
    for (int depth = 0; depth <= pattern.lane_bits + 1; ++depth)
        if (extend_network(network, pattern, rules, depth)) return network;
    return std::nullopt;
}

}  // namespace plait
