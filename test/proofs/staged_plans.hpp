#pragma once
// Staging buffers, element by element: a strip that is filled by tiles and copied by rows is where the plan says.

#include <plait/engine/plan/run_time_kernel.hpp>

#include <set>
#include <vector>

namespace listed_tiles {

/// A place that loops and the bits of a tile lead to, and its index along each bound.
struct plan_place {
    plait::dim_t src = 0, dst = 0, index[plait::engine::max_bounds]{};

    void add(int bound, plait::dim_t steps, plait::dim_t by_src, plait::dim_t by_dst) {
        src += by_src;
        dst += by_dst;
        if (bound >= 0) index[bound] += steps;
    }
};

/// Calls f(place) for each place that loops, from number `first`, and the bits of the tile lead to from `begin`.
template <class F>
void for_each_place(const plait::engine::reorder_plan& plan, int first, const plan_place& begin, const F& f) {
    if (first < plan.loops.size()) {
        const plait::engine::plan_loop& loop = plan.loops[first];
        for (plait::dim_t i = 0; i < loop.extent; ++i) {
            const bool back = loop.overlap != 0 && i + 1 == loop.extent;
            plan_place here = begin;
            here.add(loop.bound, i * loop.index_step - (back ? loop.overlap : 0),
                     i * loop.src - (back ? loop.overlap_src : 0), i * loop.dst - (back ? loop.overlap_dst : 0));
            for_each_place(plan, first + 1, here, f);
        }
        return;
    }
    for (unsigned k = 0; k < 1u << plan.bits.size(); ++k) {
        plan_place here = begin;
        for (int b = 0; b < plan.bits.size(); ++b) {
            const plait::engine::tile_bit& bit = plan.bits[b];
            if ((k >> b & 1) != 0) here.add(plan.pattern.bounds[b], bit.index_step, bit.src, bit.dst);
        }
        f(here);
    }
}

/// True if the loops that fill the buffer of a run write each of its places, and no other: those of the places that are
/// within each bound.
///
/// Pre:     plan.staged_run > 0
inline bool is_run_right(const plait::engine::reorder_plan& plan) {
    using namespace plait;
    using namespace plait::engine;
    const staging_buffer through(plan);
    if (through.row_elements == 0 || through.bytes() > staging_bytes || through.rows.size() != 1) return false;
    for (int k = 0; k < plan.staged_from; ++k)  // outer loops move all of a run, or nothing
        for (const plan_loop& inside : through.filling.loops)
            if (inside.bound >= 0 && inside.bound == plan.loops[k].bound) return false;
    std::set<dim_t> filled;
    for_each_place(through.filling, 0, {}, [&](const plan_place& place) {
        for (int x = 0; x < plan.bounds.size(); ++x)
            if (place.index[x] >= plan.bounds[x].stored) return;
        filled.insert(place.dst);
    });
    return static_cast<dim_t>(filled.size()) == through.row_elements && *filled.begin() == 0 &&
           *filled.rbegin() == through.row_elements - 1;
}

/// True if a strip goes through its buffers to the places of the plan: the loops that fill a buffer reach each place in
/// it once, its rows are copied to where these elements belong, and a copy of the source has what tiles read.
///
/// Pre:     plan.staged_from >= 0
inline bool is_staged_right(const plait::engine::reorder_plan& plan) {
    using namespace plait;
    using namespace plait::engine;
    if (plan.staged_run > 0) return is_run_right(plan);
    staging_buffer through(plan);
    if (through.bytes() > most_staging_bytes || through.rows.size() == 0) return false;
    std::vector<std::pair<dim_t, dim_t>> wanted, found;
    for_each_place(plan, plan.staged_from, {}, [&](const plan_place& place) {
        wanted.push_back({place.src, place.dst});
    });
    for (const bool copies_source : {false, true}) {
        staging_buffer now(plan);
        staged_source from;
        if (copies_source) {
            if (!plan.stages_short_runs()) continue;
            from = staged_source(now.filling);
            if (from.rows.empty()) continue;
            if (from.rows.size() * from.row_bytes > most_source_bytes) return false;
        }
        move_uneven_loops_out(now.filling);
        const dim_t bytes = plan.sizes.src;
        bool inside = true;
        found.clear();
        std::set<dim_t> filled;
        for_each_place(now.filling, 0, {}, [&](const plan_place& place) {
            const dim_t dst = place.dst;
            dim_t src = place.src;
            const dim_t row = dst / now.pitch, column = dst % now.pitch;
            inside =
                inside && dst >= 0 && row < now.rows.size() && column < now.row_elements && filled.insert(dst).second;
            if (copies_source && inside) {
                const dim_t of_row = src * bytes / from.row_bytes;
                inside = src >= 0 && of_row < from.rows.size();
                if (inside) src = (from.rows[static_cast<int>(of_row)] + src * bytes % from.row_bytes) / bytes;
            }
            if (inside) found.push_back({src, now.rows[static_cast<int>(row)] + column});
        });
        if (!inside || static_cast<dim_t>(filled.size()) != now.rows.size() * now.row_elements) return false;
        std::multiset<std::pair<dim_t, dim_t>> a(wanted.begin(), wanted.end()), b(found.begin(), found.end());
        if (a != b) return false;
    }
    return true;
}

}  // namespace listed_tiles
