#pragma once
// Tiles of few registers take several steps of the innermost loop at a time. A kernel that reads its plan at run time
// looks at the plan once for each tile, which takes as long as moving two registers.
//
// Example: u8 nhwc -> nchw of 4 channels with AVX-512, 64 pixels a tile: four registers, and a loop of 784 tiles for 224
// x 224 pixels. Tiles of 128 pixels have eight registers, and the loop has 392 steps.

#include <plait/engine/plan/choose_tile.hpp>
#include <plait/engine/plan/order_loops.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// True if the lanes of a tile are the same on both sides, in order: its registers are copied.
constexpr bool copies_registers(const tile_pattern& pattern) {
    if (pattern.segment_bits(side::source) != pattern.lane_bits || pattern.dst_lanes.size() != pattern.lane_bits)
        return false;
    for (int lane = 0; lane < pattern.lane_bits; ++lane)
        if (pattern.dst_lanes[lane] != lane) return false;
    return true;
}

/// Returns the number of steps of the innermost loop that a tile can take at a time, as log2: those that make a tile of
/// 8 registers of it, if few steps are then taken twice.
constexpr int steps_of_wider_tile(const reorder_plan& plan) {
    const tile_pattern& pattern = plan.pattern;
    constexpr int wider_register_bits = 3;
    if (!pattern.has_vectors() || pattern.interleave != 0 || pattern.half_bytes >= 0 || copies_registers(pattern) ||
        !plan.bounds.empty() || !plan.uneven_steps.empty() || plan.staged_from >= 0 || plan.loops.empty())
        return 0;
    const int in = pattern.segments(side::source), out = pattern.segments(side::destination),
              possible =
                  most_register_bits(network_kind::table, plan.sizes.work << pattern.lane_bits, in > out ? in : out),
              wanted = possible < wider_register_bits ? possible : wider_register_bits;
    const plan_loop& loop = plan.loops.back();
    for (int bits = wanted - pattern.register_bits; bits > 0; --bits) {
        const dim_t steps = dim_t{1} << bits, twice = divide_up(loop.extent, steps) * steps - loop.extent;
        const bool is_even = twice == 0 && loop.overlap == 0;
        if (is_even ? loop.extent >= steps : loop.may_overlap && loop.extent >= 8 * steps) return bits;
    }
    return 0;
}

/// Makes a tile of few registers take several steps of the innermost loop at a time.
///
/// Post:    moves the same elements from and to the same places, some of them twice
constexpr void widen_tile(reorder_plan& plan) {
    const int bits = steps_of_wider_tile(plan);
    if (bits == 0) return;
    const plan_loop inner = cut_off(plan.loops[plan.loops.size() - 1], dim_t{1} << bits);
    for (int k = 0; k < bits; ++k) {
        plan.bits.push_back({inner.src << k, inner.dst << k, inner.index_step << k, inner.axis});
        plan.pattern.bounds.push_back(-1);
    }
    plan.pattern.register_bits += bits;
    plan.prefetch = prefetch_distance(plan);
}

}  // namespace plait::engine
