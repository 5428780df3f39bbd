#pragma once
// The pairs of shuffles that each instruction set has.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/support/inline_list.hpp>

#include <bit>  // std::countr_zero

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

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
