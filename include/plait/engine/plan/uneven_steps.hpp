#pragma once
// Loops whose steps differ, because the blocks of the two sides do not divide each other.
//
// Example: aBcd32b -> aBcd48b, 96 channels of 4 x 4: 6 steps of 16 channels, by 16 elements on both sides. Two steps
// end a block of 32 in the source: the next block is 480 further, as one has 32 * 16 = 512 elements. Three steps end a
// block of 48 in the destination, where the next is 48 * 16 - 48 = 720 further.

#include <plait/core/axis.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/support/inline_list.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// An additional offset on both sides at every period-th step along a node, where a block ends that neither divides the
/// blocks of the other side nor is divided by them. Blocks of 32 and of 48 are steps of 16, of which every second and
/// every third are uneven.
struct uneven_step {
    int axis = 0;
    dim_t period = 0;
    dim_t src = 0, dst = 0;
    constexpr bool operator==(const uneven_step&) const = default;
};

using uneven_step_list = inline_list<uneven_step, 8>;

/// The elements that uneven steps add to the offsets of both sides.
struct uneven_offsets {
    dim_t src = 0, dst = 0;
};

/// Returns what uneven steps along an axis add to its first `steps` steps together.
///
/// Example: of 32 more at every second step: 64 to the first five
[[gnu::always_inline]] constexpr uneven_offsets uneven_within(const uneven_step_list& all, int axis, dim_t steps) {
    uneven_offsets out;
    for (const uneven_step& uneven : all) {
        if (uneven.axis != axis) continue;
        out.src += steps / uneven.period * uneven.src;
        out.dst += steps / uneven.period * uneven.dst;
    }
    return out;
}

/// Returns what uneven steps along an axis add after step i alone: uneven_within(i + 1) - uneven_within(i).
[[gnu::always_inline]] constexpr uneven_offsets uneven_behind(const uneven_step_list& all, int axis, dim_t i) {
    uneven_offsets out;
    for (const uneven_step& uneven : all) {
        if (uneven.axis != axis || (i + 1) % uneven.period != 0) continue;
        out.src += uneven.src;
        out.dst += uneven.dst;
    }
    return out;
}

}  // namespace plait::engine
