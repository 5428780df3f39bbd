#pragma once
// Shuffle networks. Inside a tile of 2^k elements a reorder between power-of-two digits is a permutation of address
// bits: some bits count lanes of a vector register, the others count registers. Each step of two-register shuffles
// rotates one register bit and some lane bits; a network is the sequence of steps that brings the bits into place.
//
// Example: f32 nchw -> nChw16c with AVX-512, 16 registers of 16 lanes. When loaded, bits 0 to 3 (places) count lanes,
// and bits 4 to 7 (channels) count registers. When stored, bits 4 5 6 7 count lanes. Each of four steps brings one of
// them into the lanes: unpack 4 bytes, unpack 8 bytes, and two shuffles of quarters.

#include <plait/engine/plan/shuffles.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A rule, applied to all pairs of registers whose numbers differ in one bit.
struct shuffle_step {
    shuffle_rule rule;
    int register_bit = 0;
    constexpr bool operator==(const shuffle_step&) const = default;
};

/// The positions of the bits at some point in a network.
struct bit_positions {
    inline_list<int, 6> lanes;
    inline_list<int, max_register_bits> registers;

    constexpr explicit bit_positions(const tile_pattern& pattern) {
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

/// The steps from the bit order of the source to that of the destination.
struct shuffle_network {
    inline_list<shuffle_step, 8> steps;
    bit_positions ends;  ///< positions after the last step; they follow from the steps

    constexpr bool operator==(const shuffle_network& other) const { return steps == other.steps; }
};

/// Returns the approximate cost of the network for a register, in half cycles.
constexpr int cost_of_network(const shuffle_network& network, isa instructions, int element_bytes) {
    int cost = 0;
    for (const shuffle_step& step : network.steps)
        cost += cost_of_step(network_kind::constant, instructions, step.rule.first, element_bytes);
    return cost;
}

/// Returns the order in which registers are stored: bit k of the position in it is bit order[k] of a register's number
/// after the last step.
///
/// Bits that are in no lane on either side come first. A tile has them because they complete a cache line, so the
/// registers of one line are stored one after the other. With non-temporal stores eight stores apart, Intel's
/// processors wrote each half of a line separately, at half the speed.
///
/// Example: AVX2, nchw -> nChw16c: after three steps the registers count w0, w1, w2 and c3, the upper half of a line.
/// They are stored in the order c3, w0, w1, w2: the two registers of w = 0, then those of w = 1, ...
constexpr inline_list<int, max_register_bits> store_order(const bit_positions& ends) {
    inline_list<int, max_register_bits> order;
    const int lanes = ends.lanes.size();
    const auto is_free = [&](int k) { return ends.registers[k] >= lanes; };
    for (const bool free : {true, false})
        for (int k = 0; k < ends.registers.size(); ++k)
            if (is_free(k) == free) order.push_back(k);
    return order;
}

/// The search for a network: depth first, with a lower bound of the steps that are still needed.
class network_search {
public:
    constexpr network_search(const tile_pattern& pattern, const shuffle_rules& rules)
        : found{{}, bit_positions(pattern)}, pattern_(pattern), rules_(rules), wanted_(pattern, 0) {
        for (const shuffle_rule& rule : rules)
            if (rule.first == 0 && rule.last >= border_) border_ = rule.last + 1;
    }
    shuffle_network found;

    /// True if `depth` more steps can bring the bits into place. `found` then has them; otherwise it is unchanged.
    constexpr bool extend(int depth) {
        const int needed = steps_needed();
        if (needed == 0) return true;
        if (needed > depth || ++tried_ > most_tries) return false;
        for (const shuffle_rule& rule : rules_)
            for (int r = 0; r < pattern_.register_bits; ++r) {
                if (!is_useful(rule, r, needed == depth)) continue;
                found.ends.apply({rule, r});
                found.steps.push_back({rule, r});
                if (extend(depth - 1)) return true;
                found.steps.erase(found.steps.size() - 1);
                found.ends.apply({{rule.first, rule.last, !rule.upwards}, r});  // undoes the step
            }
        return false;
    }
    /// Returns a lower bound of the steps needed: each step brings one bit into the lanes. A bit that is too high, or
    /// on the other side of the border, must leave and enter again; one that is too low waits for others to push it.
    constexpr int steps_needed() const {
        int missing = pattern_.dst_lanes.size();
        bool in_place = true;
        for (int l = 0; l < pattern_.lane_bits; ++l) {
            // Avoids operator[], because each call uses up the compiler's limit for constant expressions.
            const int wanted = wanted_.of[found.ends.lanes.values[l]];
            in_place = in_place && (l >= pattern_.dst_lanes.size() || wanted == l);
            if (wanted >= 0 && (wanted < border_) == (l < border_) && !(wanted < l && l < border_)) --missing;
        }
        return missing > 0 || in_place ? missing : 1;
    }

private:
    // A limit for all three depths of find_network together. For plans that would need more tries, there are other
    // plans that need fewer. Compilers limit constant evaluation, Clang to a million steps.
    static constexpr int most_tries = 150;
    const tile_pattern& pattern_;
    const shuffle_rules& rules_;
    wanted_lanes wanted_;
    // Lane bits below the border are within 128 bits; the others count parts of 128 bits. No rule moves a bit across:
    // unpack moves bits below the border, shuffles of parts move the others.
    int border_ = 0;
    int tried_ = 0;

    constexpr bool is_useful(const shuffle_rule& rule, int register_bit, bool must_bring) const {
        const int wanted = wanted_.of[found.ends.registers.values[register_bit]];
        if (wanted >= rule.first && wanted <= rule.last) return true;
        if (must_bring) return false;
        for (int l = rule.first; l <= rule.last; ++l) {  // otherwise it must move a bit that is out of place
            const int moved = wanted_.of[found.ends.lanes.values[l]];
            if (moved >= 0 && moved != l) return true;
        }
        return false;
    }
};

/// Returns the shortest network for a pattern; empty if the rules allow none, or none in few steps.
///
/// Post:    result.ends.lanes begins with pattern.dst_lanes
/// Cost:    a search, bounded by the number of bits that still have to enter the lanes
constexpr std::optional<shuffle_network> find_network(const tile_pattern& pattern, const shuffle_rules& rules) {
    network_search search(pattern, rules);
    const int needed = search.steps_needed();
    for (int more = 0; more <= 2; ++more)
        if (search.extend(needed + more)) return search.found;
    return std::nullopt;
}

}  // namespace plait::engine
