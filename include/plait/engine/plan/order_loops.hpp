#pragma once
// The order of the loops around the tile of a plan, and where the loops are cut into strips.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. The loop of 196 steps over
// places steps by 16 elements in the source and 256 in the destination. It goes inside the loop of 2 steps over
// channels, which steps by 50176 on both sides. In a transpose of 1024 x 1024 neither of the two loops of 64 steps
// steps less on both sides: they step by 16 and 16384, and by 16384 and 16. The second is cut into 4 strips, in each of
// which 64 steps along the source go around 16 along the destination. Plans with non-temporal stores have an order of
// their own: see large_order.hpp.

#include <plait/engine/plan/large_order.hpp>
#include <plait/engine/plan/staging.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The two loops of a plan that continue where its tile ends: one in the source, one in the destination.
struct tile_loops {
    int along_src = -1, along_dst = -1;
};

/// Orders the loops: the smaller the smaller step of its two sides, the further inside, so that a cache line is used up
/// while it is cached. Returns the two innermost loops if each steps less than the other on one side.
constexpr tile_loops order_loops(inline_list<plan_loop, max_loops + 2>& loops) {
    const auto least = [&](const plan_loop& loop) {
        const dim_t src = magnitude(loop.src), dst = magnitude(loop.dst);
        return src < dst ? src : dst;
    };
    for (int i = 1; i < loops.size(); ++i)
        for (int j = i; j > 0; --j) {
            const plan_loop outer = loops[j - 1], inner = loops[j];
            const bool right =
                least(outer) != least(inner) ? least(outer) > least(inner) : outer.extent >= inner.extent;
            if (right) break;
            loops[j - 1] = inner;
            loops[j] = outer;
        }
    if (loops.size() < 2) return {};
    const int last = loops.size() - 1;
    const plan_loop &outer = loops[last - 1], &inner = loops[last];
    const bool along_dst = magnitude(inner.dst) < magnitude(outer.dst),
               along_src = magnitude(inner.src) < magnitude(outer.src);
    if (along_dst == along_src) return {};
    return along_dst ? tile_loops{last - 1, last} : tile_loops{last, last - 1};
}

/// Returns the number of steps, from `least` to `most`, to cut a loop into: the greatest that divides the extent, or
/// that moves few elements twice. Returns 1 if there is none.
constexpr dim_t steps_to_cut(const plan_loop& loop, dim_t least, dim_t most) {
    if (loop.is_uneven) return 1;
    dim_t best = 1, fewest = loop.may_overlap ? loop.extent / 12 + 1 : 1;  // steps that are taken twice
    for (dim_t steps = most; steps >= least; --steps) {
        if (loop.extent <= steps || (loop.overlap != 0 && !loop.may_overlap)) continue;
        const dim_t twice = divide_up(loop.extent, steps) * steps - loop.extent;
        if (twice >= fewest) continue;
        best = steps;
        fewest = twice;
    }
    return best;
}

/// Orders the two loops of which each steps less than the other on one side.
///
/// Measured (docs/design/speed.md):
/// - A strip is a few tiles along the destination. The loop along the source goes around it, so that neither side
///   touches more lines than the caches and the TLB hold.
/// - Inside the strip go as many tiles along the source as use up its cache lines.
/// - If the loop along the source is short, strips are not needed. With non-temporal stores, which only plans with
///   uneven steps have here, longer loops count as short.
constexpr void order_tile_loops(reorder_plan& plan, const tile_loops& tile) {
    auto& loops = plan.loops;
    const bool streams = plan.bytes_moved() >= streaming_bytes;
    plan_loop src = loops[tile.along_src], dst = loops[tile.along_dst];
    loops.erase(loops.size() - 1);
    loops.erase(loops.size() - 1);
    inline_list<plan_loop, 4> inner;  // innermost first
    bool strips = false, staged = false;
    destination_rows rows = rows_of_tile(plan), all_rows = rows;
    all_rows.repeat(src.extent, src.dst);
    const bool short_src =
        streams ? src.extent <= 16 : src.extent <= 4 && !all_rows.too_many && !all_rows.crowd(plan.sizes.dst);
    if (!short_src && loops.size() + 4 <= max_loops) {
        if (const dim_t run = plan.source_run_bytes(); run < cache_line_bytes)
            if (const dim_t steps = steps_to_cut(src, 2, cache_line_bytes / run); steps > 1) {
                rows.repeat(steps, src.dst);
                inner.push_back(cut_off(src, steps));
            }
        const dim_t room = staging_bytes / (rows.offset.size() * plan.contiguous_bytes());
        // Rows of the staging buffer are copied by vectors of at least 16 bytes.
        staged = !streams && plan.bounds.empty() && plan.pattern.interleave == 0 && !rows.too_many && room > 0 &&
                 plan.contiguous_bytes() % 16 == 0 && dst.dst == plan.run_of_tile(side::destination) &&
                 src.dst > dst.dst * dst.extent / 2 && rows.crowd(plan.sizes.dst);
        const dim_t most = staged ? (room < 16 ? room : 16) : 12, least = staged ? (most + 1) / 2 : 6;
        if (const dim_t steps = dst.extent > 16 ? steps_to_cut(dst, least, most) : 1; steps > 1) {
            inner.push_back(cut_off(dst, steps));
            strips = true;
        }
    }
    const bool along_src_inside = strips || short_src;
    inner.push_back(along_src_inside ? src : dst);
    inner.push_back(along_src_inside ? dst : src);
    for (int k = inner.size() - 1; k >= 0; --k) loops.push_back(inner[k]);
    if (strips && staged) plan.staged_from = loops.size() - (inner.size() - 2);
}

/// Orders the loops around tiles whose bytes exchange halves. Such tiles write short runs, because one bit of their
/// registers counts neither side's runs. A staging buffer makes cache lines of them. False, and nothing is changed, if
/// the tiles need none.
///
/// Example: u4 ab -> ba of 16384 x 16384 with AVX-512: a tile writes 32 rows of 32 bytes and reads 64 rows of 16 bytes.
///          4 steps along the source and 2 along the destination fill a staging buffer of 128 rows of 64 bytes from
///          whole cache lines. These rows go to the destination past the caches.
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
