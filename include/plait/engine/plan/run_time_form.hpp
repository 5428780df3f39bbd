#pragma once
// Plans in the form that kernels read at run time. Tiles that differ only in the strides of their bits have the same
// pattern, so that few kernels serve all plans.
//
// Example: s8 oihw -> OIhw4i16o4i of 256 x 250 x 3 x 3 with AVX-512, where the lanes of the destination count the bits
// 8 9 6 7 4 5 of the tile. Numbered in the order in which they are wanted, bits 8 and 9 become 6 and 7, and 6 and 7
// become 8 and 9: the lanes count 6 7 8 9 4 5. Bits 4 and 5 are lanes of the source, too, and keep their numbers.

#include <plait/engine/plan/order_loops.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The numbers of a tile's bits in the order in which the lanes of the destination count them. The bits of the source's
/// lanes stay first.
struct bit_numbers {
    int of[max_tile_bits]{};
    constexpr explicit bit_numbers(const tile_pattern& pattern) {
        int placed = pattern.lane_bits;
        for (int bit = 0; bit < placed; ++bit) of[bit] = bit;
        for (const int bit : pattern.dst_lanes)
            if (bit >= pattern.lane_bits) of[bit] = placed++;
        for (int bit = pattern.lane_bits; bit < pattern.lane_bits + pattern.register_bits; ++bit)
            if (of[bit] == 0) of[bit] = placed++;
    }
};

/// Returns what the code of a kernel depends on: the pattern with its bits in that order, without the axes that they
/// count along.
///
/// Post:    run_time_pattern(run_time_form(plan).pattern) == run_time_pattern(plan.pattern)
constexpr tile_pattern run_time_pattern(const tile_pattern& pattern) {
    tile_pattern out = pattern;
    out.bounds = {};
    const bit_numbers numbers(pattern);
    for (int& bit : out.dst_lanes) bit = numbers.of[bit];
    if (out.half_bytes >= 0) out.half_bytes = numbers.of[out.half_bytes];
    return out;
}

/// Moves the loops with uneven steps to the outside, because each of their steps needs extra work.
constexpr void move_uneven_loops_out(reorder_plan& plan) {
    auto& loops = plan.loops;
    for (int i = 1; i < loops.size(); ++i)
        for (int k = i; k > 0 && loops[k].is_uneven && !loops[k - 1].is_uneven; --k) {
            const plan_loop further_out = loops[k];
            loops[k] = loops[k - 1];
            loops[k - 1] = further_out;
        }
    // Steps of these loops share cache lines, so only as many tiles go inside as leave the lines in the cache.
    const bool has_lines = plan.contiguous_bytes() >= cache_line_bytes && plan.source_run_bytes() >= cache_line_bytes;
    const plan_loop& last = loops.back();
    if (has_lines || !loops[0].is_uneven || last.is_uneven || loops.size() == max_loops) return;
    const dim_t steps = steps_to_cut(last, 16, 64);
    if (steps == 1) return;
    plan_loop strips = last;
    const plan_loop strip = cut_off(strips, steps);
    for (int k = loops.size() - 1; k > 0; --k) loops[k] = loops[k - 1];
    loops[0] = strips;
    loops.push_back(strip);
}

/// Converts a plan to the form for a kernel of its run-time pattern.
///
/// Post:    moves the same elements from and to the same places
constexpr void make_run_time_form(reorder_plan& plan) {
    const bit_numbers numbers(plan.pattern);
    for (int& bit : plan.pattern.dst_lanes) bit = numbers.of[bit];
    if (plan.pattern.half_bytes >= 0) plan.pattern.half_bytes = numbers.of[plan.pattern.half_bytes];
    // Swap bits until each has its new number.
    int number[max_tile_bits]{};
    for (int bit = 0; bit < plan.bits.size(); ++bit) number[bit] = numbers.of[bit];
    for (int bit = 0; bit < plan.bits.size(); ++bit)
        while (number[bit] != bit) {
            const int to = number[bit], bound = plan.pattern.bounds[bit];
            const tile_bit moved = plan.bits[bit];
            number[bit] = number[to];
            number[to] = to;
            plan.bits[bit] = plan.bits[to];
            plan.bits[to] = moved;
            plan.pattern.bounds[bit] = plan.pattern.bounds[to];
            plan.pattern.bounds[to] = bound;
        }
    if (plan.staged_from < 0) move_uneven_loops_out(plan);
    plan.destination_prefetch = destination_ahead(plan);
}
constexpr reorder_plan run_time_form(reorder_plan plan) {
    make_run_time_form(plan);
    return plan;
}

}  // namespace plait::engine
