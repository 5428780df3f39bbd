#pragma once
// Staging buffers, element by element: a strip that is filled by tiles and copied by rows is where the plan says.

#include <plait/engine/plan/run_time_kernel.hpp>

#include <set>
#include <vector>

namespace listed_tiles {

/// Calls f(src, dst) for each place that loops, from number `first`, and the bits of the tile lead to.
template <class F>
void for_each_place(const plait::engine::reorder_plan& plan, int first, plait::dim_t src, plait::dim_t dst,
                    const F& f) {
    if (first < plan.loops.size()) {
        const plait::engine::plan_loop& loop = plan.loops[first];
        for (plait::dim_t i = 0; i < loop.extent; ++i) {
            const bool back = loop.overlap != 0 && i + 1 == loop.extent;
            for_each_place(plan, first + 1, src + i * loop.src - (back ? loop.overlap_src : 0),
                           dst + i * loop.dst - (back ? loop.overlap_dst : 0), f);
        }
        return;
    }
    for (unsigned k = 0; k < 1u << plan.bits.size(); ++k) {
        plait::dim_t from = src, to = dst;
        for (int bit = 0; bit < plan.bits.size(); ++bit)
            if ((k >> bit & 1) != 0) from += plan.bits[bit].src, to += plan.bits[bit].dst;
        f(from, to);
    }
}

/// True if the loops that fill the buffer of a run write each of its places, and no other: those of the places that are
/// within each bound.
///
/// Pre:     plan.stages_run
inline bool is_run_right(const plait::engine::reorder_plan& plan) {
    using namespace plait;
    using namespace plait::engine;
    const staging_buffer through(plan);
    if (through.row_elements == 0 || through.bytes() > staging_bytes || through.rows.size() != 1) return false;
    for (int k = 0; k < plan.staged_from; ++k)  // outer loops move all of a run, or nothing
        for (const plan_loop& inside : through.filling.loops)
            if (inside.bound >= 0 && inside.bound == plan.loops[k].bound) return false;
    std::set<dim_t> filled;
    dim_t index[max_bounds]{};
    const auto visit = [&](const auto& self, int digit, dim_t dst) -> void {
        const int bits = plan.bits.size(), loops = through.filling.loops.size();
        if (digit == bits + loops) {
            for (int x = 0; x < plan.bounds.size(); ++x)
                if (index[x] >= plan.bounds[x].stored) return;
            filled.insert(dst);
            return;
        }
        const int bound = digit < bits ? plan.pattern.bounds[digit] : through.filling.loops[digit - bits].bound;
        const dim_t extent = digit < bits ? 2 : through.filling.loops[digit - bits].extent;
        for (dim_t i = 0; i < extent; ++i) {
            dim_t here = i * (digit < bits ? plan.bits[digit].dst : through.filling.loops[digit - bits].dst);
            dim_t steps =
                i * (digit < bits ? plan.bits[digit].index_step : through.filling.loops[digit - bits].index_step);
            if (digit >= bits && i + 1 == extent) {
                here -= through.filling.loops[digit - bits].overlap_dst;
                steps -= through.filling.loops[digit - bits].overlap;
            }
            if (bound >= 0) index[bound] += steps;
            self(self, digit + 1, dst + here);
            if (bound >= 0) index[bound] -= steps;
        }
    };
    visit(visit, 0, 0);
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
    if (plan.stages_run) return is_run_right(plan);
    staging_buffer through(plan);
    if (through.bytes() > most_staging_bytes || through.rows.size() == 0) return false;
    std::vector<std::pair<dim_t, dim_t>> wanted, found;
    for_each_place(plan, plan.staged_from, 0, 0, [&](dim_t src, dim_t dst) { wanted.push_back({src, dst}); });
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
        for_each_place(now.filling, 0, 0, 0, [&](dim_t src, dim_t dst) {
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
