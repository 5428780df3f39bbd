#pragma once
// The network of a tile that is cheapest for an instruction set, as tables.
//
// SSE4.1 and AVX2 have no exchange of a register bit with lane bit 0 or 1: two shifts and two blends do it, 3 half
// cycles a register. A turn (lane_network.hpp) takes 1, and a shuffle within 128 bits 1. Bits that must enter lane bits
// 0 and 1 therefore enter lane bit 2, and the shuffle brings them down.
//
// Example: u8 nchw -> nChw16c with SSE4.1, 16 registers of 16 bytes: lane bits count p0 to p3, places of w; register
// bits c0 to c3 must become lane bits 0 to 3. 5 half cycles for a register; four exchanges take 3 + 3 + 2 + 1.
//     p0 p1 p2 p3    c0 enters, then c1
//     p0 p1 c1 c0    one shuffle within 128 bits
//     c0 c1 p1 p0    c3 enters, then c2
//     c0 c1 c2 c3

#include <plait/engine/plan/lane_network.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// True if an instruction set turns lanes by one instruction, and exchanges register bits with lane bits 0 and 1 by
/// four.
constexpr bool turns_lanes(isa instructions) { return instructions == isa::sse41 || instructions == isa::avx2; }

/// A network of turns. Not found if the lanes would have to be ordered across 128 bits in three instructions.
class turning_network {
public:
    lane_network network;
    bool found = false;

    /// Pre:     pattern.half_bytes < 0
    constexpr turning_network(const tile_pattern& pattern, int element_bits)
        : element_bits_(element_bits), lanes_(pattern.lane_bits + element_bits), goal_(pattern, element_bits) {
        network.lane_bits = static_cast<std::int8_t>(lanes_);
        network.register_bits = static_cast<std::int8_t>(pattern.register_bits);
        for (int t = element_bits; t < lanes_; ++t) now_[t] = static_cast<std::int8_t>(t - element_bits);
        for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit)
            if (goal_.of[bit] < 0)
                network.loaded_registers[next_] = network.stored_registers[next_] = static_cast<std::int8_t>(bit),
                ++next_;
        for (const int bit : pattern.dst_lanes)
            if (bit >= pattern.lane_bits) entering_.push_back(bit);
        while (!entering_.empty()) take_step();
        order_lanes(network, now_, goal_, element_bits, pattern.dst_lanes.size() + element_bits);
        found = network.within_at < 0 || order_parts(network.order, lanes_).before.keeps(0, lanes_);
    }

private:
    int element_bits_, lanes_;
    wanted_lanes goal_;
    std::int8_t now_[max_lane_bits] = {-1, -1, -1, -1, -1, -1};  // the bit in each lane
    inline_list<int, max_register_bits> entering_;               // bits that must still enter the lanes
    int next_ = 0;                                               // the next register bit

    /// Returns the lane that the bit in a lane must reach; -1: none, or the bit of an element's bytes.
    constexpr int goal_at(int t) const { return now_[t] < 0 ? -1 : goal_.of[now_[t]]; }
    constexpr bool leaves(int t) const { return t >= element_bits_ && t < lanes_ && goal_at(t) < 0; }
    constexpr bool leaves_low() const { return leaves(0) || leaves(1); }

    /// Takes the bit out of entering_ that enters best at a lane: if a shuffle within 128 bits will follow, one that it
    /// brings down; else the one that must reach this lane, or any.
    constexpr int take_for(int lane) {
        const bool comes_down = leaves_low() && network.within_at < 0;
        int best = 0;
        for (int k = entering_.size() - 1; k >= 0; --k)
            if (comes_down ? goal_.of[entering_[k]] < 2 : goal_.of[entering_[k]] == lane) best = k;
        const int bit = entering_[best];
        entering_.erase(best);
        return bit;
    }
    constexpr void take_step() {
        const bool two_leave = leaves(2) && leaves(3);
        if (leaves(4))
            for (const int bit : entering_)
                if (goal_.of[bit] == 4) return exchange(4);
        if (two_leave && entering_.size() > 1) return turn(3);
        if (leaves(3)) {
            const bool turns = two_leave ? goal_.of[entering_[0]] == 2 : goal_at(2) == 3;
            return turns ? turn(2) : exchange(3);
        }
        if (leaves(2)) return exchange(2);
        if (leaves(4)) return exchange(4);
        if (network.within_at < 0) return shuffle_within();
        exchange(leaves(0) ? 0 : 1);
    }
    constexpr void enter(int step, int bit, int leaving) {
        network.exchanged[next_] = static_cast<std::int8_t>(step);
        network.loaded_registers[next_] = static_cast<std::int8_t>(bit);
        network.stored_registers[next_++] = static_cast<std::int8_t>(leaving);
    }
    constexpr void exchange(int t) {
        const int bit = take_for(t);
        enter(t, bit, now_[t]);
        now_[t] = static_cast<std::int8_t>(bit);
    }
    /// Turns the lanes. The bit that enters is best one that must reach `lane`: it gets to 3 if another turn follows.
    constexpr void turn(int lane) {
        const int bit = take_for(lane);
        enter(turn_of_lanes, bit, now_[3]);
        now_[3] = now_[2];
        now_[2] = static_cast<std::int8_t>(bit);
    }
    /// Puts lane bits 0 and 1 in place as far as their bits are here, and bits that leave in lane bits 3 and 2.
    constexpr void shuffle_within() {
        network.within_at = static_cast<std::int8_t>(next_);
        for (int t = element_bits_; t < 2; ++t)
            for (int other = t + 1; goal_at(t) != t && other < 4; ++other)
                if (goal_at(other) == t) network.within.swap(now_, t, other);
        for (int t = 3; t >= 2; --t)
            for (int other = element_bits_; !leaves(t) && other < t; ++other)
                if (leaves(other)) network.within.swap(now_, t, other);
    }
};

/// Finds the network of a tile for an instruction set: that of find_lane_network, or a cheaper one.
///
/// Pre, Post: as find_lane_network
constexpr lane_network find_table_network(const tile_pattern& pattern, int element_bits, isa instructions) {
    const bool exchanges_halves = pattern.half_bytes >= 0;
    if (turns_lanes(instructions) && !exchanges_halves) {
        const turning_network turning(pattern, element_bits);
        if (turning.found && turning.network.order.keeps(0, turning.network.lane_bits)) return turning.network;
        const lane_network network = find_lane_network(pattern, element_bits);
        const bool is_better =
            turning.found && cost_of_network(turning.network, instructions) <= cost_of_network(network, instructions);
        return is_better ? turning.network : network;
    }
    const lane_network network = find_lane_network(pattern, element_bits);
    if (instructions != isa::avx512 || element_bits > 1 || exchanges_halves || network.order.keeps(0, 2))
        return network;
    const merged_network merged(pattern, element_bits);
    const bool is_better =
        merged.found && cost_of_network(merged.network, instructions) < cost_of_network(network, instructions);
    return is_better ? merged.network : network;
}

/// Finds networks for an instruction set and elements of one size, and keeps the last one: the network that a tile was
/// chosen for is the network of its plan.
class kept_network {
public:
    constexpr kept_network(int element_bits, isa instructions)
        : element_bits_(element_bits), instructions_(instructions) {}

    /// Returns find_table_network of the pattern. The reference is valid until the next call.
    constexpr const lane_network& find(const tile_pattern& pattern) {
        if (!is_kept_ || pattern.lane_bits != of_.lane_bits || pattern.register_bits != of_.register_bits ||
            pattern.half_bytes != of_.half_bytes || pattern.dst_lanes != of_.dst_lanes) {
            is_kept_ = true;
            of_ = pattern;
            network_ = find_table_network(pattern, element_bits_, instructions_);
        }
        return network_;
    }
    constexpr isa instructions() const { return instructions_; }

private:
    int element_bits_;
    isa instructions_;
    bool is_kept_ = false;
    tile_pattern of_;
    lane_network network_;
};

}  // namespace plait::engine
