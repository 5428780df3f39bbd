#pragma once
// The order of the loops around tiles whose bytes exchange halves. Such tiles write short runs, because one bit of
// their registers counts neither side's runs. A staging buffer makes cache lines of them.
//
// Example: u4 ab -> ba of 16384 x 16384 with AVX-512: a tile writes 32 rows of 32 bytes and reads 64 rows of 16 bytes.
// 4 steps along the source and 2 along the destination fill a staging buffer of 128 rows of 64 bytes from whole cache
// lines. These rows go to the destination past the caches.

#include <plait/engine/plan/order_loops.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Orders the loops around a staging buffer; false, and nothing is changed, if the tiles need none.
///
/// Pre:     order_loops(plan.loops) == along
/// Post:    the loops move the same elements, some of them twice
constexpr bool stage_half_bytes(reorder_plan& plan, const tile_loops& along) {
    constexpr dim_t least_bytes = dim_t{1} << 20;  // read and written
    auto& loops = plan.loops;
    plan_loop src = loops[along.along_src], dst = loops[along.along_dst];
    const dim_t run = plan.run_of_tile(side::destination), source_run = plan.run_of_tile(side::source);
    destination_rows rows = rows_of_tile(plan);
    const bool is_large = plan.bytes_moved() >= streaming_bytes;
    if (!plan.bounds.empty() || (!is_large && !rows.crowd(plan.sizes.dst)) || !plan.uneven_steps.empty() ||
        plan.bytes_moved() < least_bytes || rows.too_many || run >= cache_line_bytes || run % 16 != 0 ||
        dst.dst != run || src.src != source_run || loops.size() + 3 > max_loops)
        return false;
    // As many steps along the source as read whole cache lines, and along the destination as write whole ones.
    const dim_t src_steps =
        source_run < cache_line_bytes
            ? steps_to_cut(src, 2,
                           smaller_of(cache_line_bytes / source_run, max_rows_of_half_bytes / rows.offset.size()))
            : 1;
    const dim_t lines = 2 * cache_line_bytes / run;
    const dim_t all_rows = rows.offset.size() * src_steps;
    const dim_t room = (most_staging_bytes / all_rows - cache_line_bytes) / run;
    const dim_t dst_steps = steps_to_cut(dst, 2, smaller_of(room, lines));
    if (dst_steps == 1) return false;
    loops.erase(loops.size() - 1);
    loops.erase(loops.size() - 1);
    const plan_loop strip = cut_off(dst, dst_steps);
    const dim_t pages = larger_of(1, open_pages / all_rows);
    inline_list<plan_loop, 3> staged;
    staged.push_back(strip);
    if (src_steps > 1) staged.push_back(cut_off(src, src_steps));
    const dim_t steps = src.extent > pages ? steps_to_cut(src, (pages + 1) / 2, pages) : 1;
    if (steps > 1) {
        const plan_loop inner = cut_off(src, steps);
        loops.push_back(src);
        loops.push_back(dst);
        loops.push_back(inner);
    } else {
        loops.push_back(dst);
        loops.push_back(src);
    }
    plan.staged_from = loops.size();
    for (const plan_loop& loop : staged) loops.push_back(loop);
    return true;
}

}  // namespace plait::engine
