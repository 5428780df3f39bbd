#pragma once
// Networks for AVX-512, whose exchanges of 4-byte lanes order all 4-byte lanes at no cost. Bits that move between the
// bytes of 4-byte lanes and other places then need only one shuffle within 128 bits: between the exchanges, where it
// finds all of them in lane bits 0 to 3.
//
// Example: u8 nchw -> nChw16c, 16 registers of 64 bytes: lane bits count p0 to p5, places of w; register bits c0 to c3
// must become lane bits 0 to 3, and p0 and p1 lane bits 4 and 5.
//     p0 p1 p2 p3 p4 p5    c0 is exchanged with p2, c1 with p3
//     p0 p1 c0 c1 p4 p5    one shuffle within 128 bits
//     c0 c1 p0 p1 p4 p5    c2 is exchanged with p4, c3 with p5; the second also orders
//     c0 c1 c2 c3 p0 p1

#include <plait/engine/plan/network_vectors.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Finds such a network; not found, if it is not better than that of find_lane_network, or not possible.
class merged_network {
public:
    lane_network network;
    bool found = false;

    /// Pre:     elements of 1 or 2 bytes, 2^element_bits
    constexpr merged_network(const tile_pattern& pattern, int element_bits)
        : element_bits_(element_bits),
          lanes_(pattern.lane_bits + element_bits),
          segment_(pattern.dst_lanes.size() + element_bits) {
        network.lane_bits = static_cast<std::int8_t>(lanes_);
        network.register_bits = static_cast<std::int8_t>(pattern.register_bits);
        for (std::int8_t& goal : goal_) goal = -1;
        for (int t = element_bits; t < segment_; ++t)
            goal_[pattern.dst_lanes[t - element_bits]] = static_cast<std::int8_t>(t);
        for (int t = element_bits; t < lanes_; ++t) now_[t] = static_cast<std::int8_t>(t - element_bits);
        found = choose_exchanges(pattern) && run();
    }

private:
    /// A bit that enters the lanes, and the one that leaves them for it.
    struct exchanged_bits {
        std::int8_t enters, leaves;
    };

    int element_bits_, lanes_, segment_;
    std::int8_t goal_[max_tile_bits]{};                              // the lane that each bit must reach; -1: none
    std::int8_t now_[max_lane_bits] = {-1, -1, -1, -1, -1, -1};      // the bit in each lane
    inline_list<exchanged_bits, max_register_bits> first_, second_;  // before and after the shuffle within 128 bits

    constexpr bool is_low(int t) const { return t < 2; }
    constexpr int lane_of(int bit) const {
        for (int t = element_bits_; t < lanes_; ++t)
            if (now_[t] == bit) return t;
        return -1;
    }

    /// Bits that enter lane bits 0 and 1 are exchanged first, and bits that leave these lanes last.
    constexpr bool choose_exchanges(const tile_pattern& pattern) {
        int placed = 0;
        inline_list<int, max_register_bits> low, others;
        for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit) {
            if (goal_[bit] < 0) network.loaded_registers[placed++] = static_cast<std::int8_t>(bit);
            else (is_low(goal_[bit]) ? low : others).push_back(bit);
        }
        inline_list<int, max_lane_bits> leaving;  // above lane bit 1
        int number_of_others = 0;
        for (int t = element_bits_; t < lanes_; ++t) {
            if (goal_[now_[t]] >= 0) continue;
            if (!is_low(t)) leaving.push_back(now_[t]);
            else if (number_of_others < others.size())
                second_.push_back({static_cast<std::int8_t>(others[number_of_others++]), now_[t]});
        }
        int taken = 0;
        if (low.size() + others.size() - number_of_others > leaving.size()) return false;
        for (const int bit : low)
            first_.push_back({static_cast<std::int8_t>(bit), static_cast<std::int8_t>(leaving[taken++])});
        for (; number_of_others < others.size(); ++number_of_others) {
            const bool goes_first = first_.empty() && comes_down();
            (goes_first ? first_ : second_)
                .push_back(
                    {static_cast<std::int8_t>(others[number_of_others]), static_cast<std::int8_t>(leaving[taken++])});
        }
        place_the_rest();
        for (const exchanged_bits& bits : first_) network.loaded_registers[placed++] = bits.enters;
        for (const exchanged_bits& bits : second_) network.loaded_registers[placed++] = bits.enters;
        return true;
    }
    /// True if a bit of the lanes must come down from lane bits 4 and 5 to 0 and 1.
    constexpr bool comes_down() const {
        for (int t = 4; t < lanes_; ++t)
            if (goal_[now_[t]] >= 0 && is_low(goal_[now_[t]])) return true;
        return false;
    }
    /// Bits that neither leave nor are in a segment of the destination go above it, and stay where they are if
    /// possible.
    constexpr void place_the_rest() {
        bool taken[max_lane_bits]{};
        const auto rests = [&](int bit) {
            if (goal_[bit] >= 0) return false;
            for (const auto* pairs : {&first_, &second_})
                for (const exchanged_bits& bits : *pairs)
                    if (bits.leaves == bit) return false;
            return true;
        };
        inline_list<int, max_lane_bits> moved;
        for (int t = element_bits_; t < lanes_; ++t) {
            if (!rests(now_[t])) continue;
            if (t < segment_) moved.push_back(now_[t]);
            else taken[t] = true, goal_[now_[t]] = static_cast<std::int8_t>(t);
        }
        int next = segment_;
        for (const int bit : moved) {
            while (taken[next]) ++next;
            goal_[bit] = static_cast<std::int8_t>(next++);
        }
    }

    /// Follows the bits through the network.
    constexpr bool run() {
        int k = network.register_bits - first_.size() - second_.size();
        for (int other = 0; other < k; ++other) network.stored_registers[other] = network.loaded_registers[other];
        for (const exchanged_bits& bits : first_) exchange(k++, bits);
        if (!first_.empty()) network.ordered[k - 1] = bring_down();
        const bit_order within = put_in_place(element_bits_, 2, 4);
        if (within == bit_order{}) return false;
        if (second_.empty()) {
            network.order = within;
        } else {
            network.within_at = static_cast<std::int8_t>(k);
            network.within = within;
            for (const exchanged_bits& bits : second_) {
                if (is_low(lane_of(bits.leaves))) return false;
                exchange(k++, bits);
            }
            network.ordered[k - 1] = put_in_place(2, lanes_, lanes_);
        }
        for (int t = element_bits_; t < lanes_; ++t) {
            if (goal_[now_[t]] != t) return false;
            network.stored_lanes[t] = now_[t];
        }
        return true;
    }
    constexpr void exchange(int k, const exchanged_bits& bits) {
        const int t = lane_of(bits.leaves);
        network.exchanged[k] = static_cast<std::int8_t>(t);
        network.stored_registers[k] = bits.leaves;
        now_[t] = bits.enters;
    }
    constexpr void swap_lanes(bit_order& part, int a, int b) {
        const std::int8_t in_part = part.from[a], in_all = now_[a];
        part.from[a] = part.from[b];
        now_[a] = now_[b];
        part.from[b] = in_part;
        now_[b] = in_all;
    }
    /// Brings bits that must reach lane bits 0 and 1 to 2 and 3.
    constexpr bit_order bring_down() {
        bit_order part;
        const auto wants = [&](int t) { return is_low(goal_[now_[t]]) && goal_[now_[t]] >= 0; };
        for (int t = 4; t < lanes_; ++t)
            for (int middle = 2; middle < 4 && wants(t); ++middle)
                if (!wants(middle)) swap_lanes(part, t, middle);
        return part;
    }
    /// Puts the lane bits [begin, end) in place, with bits from below `limit`.
    constexpr bit_order put_in_place(int begin, int end, int limit) {
        bit_order part;
        for (int t = begin; t < end; ++t)
            for (int other = t + 1; goal_[now_[t]] != t && other < limit; ++other)
                if (goal_[now_[other]] == t) swap_lanes(part, t, other);
        return part;
    }
};

/// Finds the network of a tile for an instruction set: that of find_lane_network, or a cheaper one.
///
/// Pre, Post: as find_lane_network
constexpr lane_network find_table_network(const tile_pattern& pattern, int element_bits, isa instructions) {
    const lane_network network = find_lane_network(pattern, element_bits);
    if (instructions != isa::avx512 || element_bits > 1 || pattern.half_bytes >= 0 || network.order.keeps(0, 2))
        return network;
    const merged_network merged(pattern, element_bits);
    const bool is_better =
        merged.found && cost_of_network(merged.network, instructions) < cost_of_network(network, instructions);
    return is_better ? merged.network : network;
}

}  // namespace plait::engine
