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

/// True if a strip goes through its buffers to the places of the plan: the loops that fill a buffer reach each place in
/// it once, its rows are copied to where these elements belong, and a copy of the source has what tiles read.
///
/// Pre:     plan.staged_from >= 0
inline bool is_staged_right(const plait::engine::reorder_plan& plan) {
    using namespace plait;
    using namespace plait::engine;
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
