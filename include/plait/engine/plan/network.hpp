#pragma once
// Shuffle networks. Inside a tile of 2^k elements a reorder between power-of-two digits is a permutation of address
// bits: some bits count lanes of a vector register, the others count registers. Each step of two-register shuffles
// rotates one register bit and some lane bits; a network is the sequence of steps that brings the bits into place.
//
// Example: f32 nchw -> nChw16c with AVX-512, 16 registers of 16 lanes. When loaded, bits 0 to 3 (places) count lanes,
// and bits 4 to 7 (channels) count registers. When stored, bits 4 5 6 7 count lanes. Each of four steps brings one of
// them into the lanes: unpack 4 bytes, unpack 8 bytes, and two shuffles of quarters.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/engine/plan/plan.hpp>
#include <plait/support/inline_list.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// The pairs of shuffles that each instruction set has.

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
        : found{{}, bit_positions(pattern)}, pattern_(pattern), rules_(rules) {
        for (int l = 0; l < pattern.dst_lanes.size(); ++l) place_[pattern.dst_lanes[l]] = l;
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
            const int wanted = place_[found.ends.lanes.values[l]];
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
    int place_[max_tile_bits] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};  // -1: in no segment
    // Lane bits below the border are within 128 bits; the others count parts of 128 bits. No rule moves a bit across:
    // unpack moves bits below the border, shuffles of parts move the others.
    int border_ = 0;
    int tried_ = 0;

    constexpr bool is_useful(const shuffle_rule& rule, int register_bit, bool must_bring) const {
        const int wanted = place_[found.ends.registers.values[register_bit]];
        if (wanted >= rule.first && wanted <= rule.last) return true;
        if (must_bring) return false;
        for (int l = rule.first; l <= rule.last; ++l) {  // otherwise it must move a bit that is out of place
            const int moved = place_[found.ends.lanes.values[l]];
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
