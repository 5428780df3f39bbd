#pragma once
// Cuts a loop of a plan into two, and joins such loops again.
//
// Example: 454 steps of 16 elements, cut into 35 steps inside 13: the 13 steps are 560 elements apart, and the last moves
// back by 16, because 13 times 35 is 1 more than 454.

#include <plait/engine/plan/plan.hpp>
#include <plait/support/checked_arithmetic.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Returns a step without its sign.
constexpr dim_t magnitude(dim_t step) { return step < 0 ? -step : step; }

/// Cuts `steps` steps off a loop and returns them as a loop to put inside it. The outer loop keeps the rest; its last
/// step moves back if `steps` does not divide the extent.
constexpr plan_loop cut_off(plan_loop& loop, dim_t steps) {
    plan_loop inner = loop;
    inner.extent = steps;
    inner.overlap = inner.overlap_src = inner.overlap_dst = 0;
    const dim_t strips = divide_up(loop.extent, steps), added = strips * steps - loop.extent;
    loop.overlap += added * loop.index_step;
    loop.overlap_src += added * loop.src;
    loop.overlap_dst += added * loop.dst;
    loop.extent = strips;
    loop.src *= steps;
    loop.dst *= steps;
    loop.index_step *= steps;
    return inner;
}

/// Joins loops that cut_off made of one. The loops then move the same elements, those taken twice only once.
///
/// Post:    the inverse of cut_off: a loop is as before it was cut
constexpr void join_loops(reorder_plan& plan) {
    auto& loops = plan.loops;
    for (int outer = 0; outer < loops.size(); ++outer)
        for (int k = 0; k < loops.size(); ++k) {
            const plan_loop &from = loops[outer], &inner = loops[k];
            const dim_t steps = inner.extent, twice = inner.index_step == 0 ? 0 : from.overlap / inner.index_step;
            if (k == outer || inner.overlap != 0 || from.bound != inner.bound || from.axis != inner.axis ||
                from.index_step != inner.index_step * steps || from.src != inner.src * steps ||
                from.dst != inner.dst * steps || twice >= steps || from.overlap != twice * inner.index_step ||
                from.overlap_src != twice * inner.src || from.overlap_dst != twice * inner.dst)
                continue;
            loops[k].extent = from.extent * steps - twice;
            loops.erase(outer);
            return join_loops(plan);
        }
}

}  // namespace plait::engine
