#pragma once
// The loops of several places over one axis: the one common refinement. Everything that walks tensors of two or more
// layouts, pieces, arrays of values or ranks together takes its loops from here.
//
// Theorem: let the borders of all places be merged. A border that divides all above it begins a loop, in whose steps
// every place moves by one distance; the others are multiples of the step of the outermost loop, and remain jumps of
// it. So there are loops for any places, and none of them is refused.

#include <plait/core/places.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A loop over the index along an axis, and how far each place moves with a step.
template <int Places>
struct axis_loop {
    dim_t step = 1;    ///< what a step adds to the index
    dim_t extent = 1;  ///< how many steps; the last ones of the outermost loop may be beyond the end of the axis
    dim_t by[static_cast<std::size_t>(Places)]{};
};

/// A distance that a place moves in addition, at every `period` steps of the outermost loop.
struct loop_jump {
    int place = 0;
    dim_t period = 1, by = 0;
};

/// Borders at which loops begin although no place jumps there: of digits that are fixed, of values.
using cut_list = scratch_list<dim_t, 16>;

/// The most loops of an axis, each of which begins at a border of a place or at a cut.
template <int Places>
inline constexpr int max_axis_loops = Places* max_jumps + 17;

/// The loops that several places over one axis are made of.
template <int Places>
struct axis_loops {
    /// From the innermost to the outermost; at least one, which may have one step.
    scratch_list<axis_loop<Places>, max_axis_loops<Places>> loops;
    /// Of the outermost loop: where borders do not divide each other.
    scratch_list<loop_jump, Places * max_jumps> jumps;
    dim_t below = 0, above = 0;  ///< the first two borders or cuts of which the lower does not divide the other, or 0

    constexpr bool is_even() const { return above == 0; }
};

/// Writes the loops of the places, of the first `extent` indices. Loops also begin at the borders of `cuts`.
///
/// Pre:     extent >= 0; `out` is default-constructed; the cuts are below the extent
/// Post:    for an index i < extent in the digits v[k] of the loops, i == sum of v[k] * loops[k].step, each place is
///          sum of v[k] * loops[k].by[p] + sum over its jumps of v.back() / period * by
/// Cost:    O(borders squared) steps, no allocation
/// Example: blocks of 16 and of 24: a loop of 8 indices, and one of steps of 8, in which every second step of the one
///          place, and every third of the other, is longer
template <int Places>
constexpr void refine_axis(axis_loops<Places>& out, const axis_places (&places)[static_cast<std::size_t>(Places)],
                           dim_t extent, const cut_list& cuts = {}) {
    bool is_one_loop = cuts.empty();
    for (const axis_places& p : places)
        is_one_loop = is_one_loop && (p.jumps.empty() || (p.jumps.size() == 1 && p.jumps[0].border == 1));
    if (is_one_loop) {  // as most axes are: no digit is cut
        axis_loop<Places> loop{1, extent, {}};
        for (int p = 0; p < Places; ++p)
            if (!places[p].jumps.empty()) loop.by[p] = places[p].jumps[0].by;
        return out.loops.push_back(loop);
    }
    scratch_list<dim_t, max_axis_loops<Places>> all;  // the borders, rising, each once
    const auto add = [&](dim_t border) {
        int at = all.size();
        while (at > 0 && all[at - 1] > border) --at;
        if (at > 0 && all[at - 1] == border) return;
        all.push_back(border);
        for (int k = all.size() - 1; k > at; --k) all[k] = all[k - 1];
        all[at] = border;
    };
    all.push_back(1);
    for (const dim_t cut : cuts) add(cut);
    for (const axis_places& p : places)
        for (const jump& j : p.jumps)
            if (j.border > 1 && j.border < extent) add(j.border);
    int steps = 1;  // the first borders, which are the steps of loops
    while (steps < all.size() && (steps == 1 || all[steps] % all[steps - 1] == 0)) ++steps;
    dim_t outermost = all[steps - 1];
    if (steps < all.size()) {
        out.below = all[steps - 1];
        out.above = all[steps];
        for (int k = steps; k < all.size(); ++k) outermost = greatest_common_divisor(outermost, all[k]);
        while (steps > 0 && (all[steps - 1] >= outermost || outermost % all[steps - 1] != 0))
            outermost = greatest_common_divisor(outermost, all[--steps]);
        ++steps;
    }
    int met[static_cast<std::size_t>(Places)]{};  // how many jumps of each place are at or below the step
    for (int k = 0; k < steps; ++k) {
        const bool last = k + 1 == steps;
        const dim_t step = last ? outermost : all[k];
        const dim_t end = k + 2 == steps ? outermost : last ? extent : all[k + 1];
        axis_loop<Places> loop{step, step == 1 ? end : divide_up(end, step), {}};
        for (int p = 0; p < Places; ++p) {
            // A step is as long as all steps of the loop inside together, and a jump.
            if (k > 0) loop.by[p] = wrapping_multiply(out.loops[k - 1].by[p], out.loops[k - 1].extent);
            const auto& jumps = places[p].jumps;
            if (met[p] < jumps.size() && jumps[met[p]].border == step)
                loop.by[p] = wrapping_add(loop.by[p], jumps[met[p]++].by);
        }
        out.loops.push_back(loop);
    }
    if (out.is_even()) return;
    for (int p = 0; p < Places; ++p)
        for (const jump& j : places[p].jumps)
            if (j.border > outermost && j.border < extent) out.jumps.push_back({p, j.border / outermost, j.by});
}

}  // namespace plait::detail
