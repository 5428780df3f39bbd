#pragma once
// The order of the loops around the tile of a plan, and where the loops are cut into strips.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places. The loop of 196 steps over
// places steps by 16 elements in the source and 256 in the destination. It goes inside the loop of 2 steps over
// channels, which steps by 50176 on both sides. In a transpose of 1024 x 1024 neither of the two loops of 64 steps
// steps less on both sides: they step by 16 and 16384, and by 16384 and 16. The second is cut into 4 strips, in each of
// which 64 steps along the source go around 16 along the destination. Plans with non-temporal stores have an order of
// their own: `large_order`. Plans at run time try several orders: `orders_to_try`.

#include <plait/engine/plan/plan.hpp>
#include <plait/engine/plan/staging.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// Cuts a loop of a plan into two, and joins such loops again.
//
// Example: 454 steps of 16 elements, cut into 35 steps inside 13: the 13 steps are 560 elements apart, and the last moves
// back by 16, because 13 times 35 is 1 more than 454.

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
/// Post:    the inverse of cut_off: a loop is as before it was cut. If its last step moved back before, it stays cut
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

// The orders of the loops of a tensor that no cache holds, and how far ahead its source is prefetched. What is written
// goes past the caches, so the order has to spare the TLB, not the caches: a page is opened once for each run of tiles
// that is written there. Static kernels have one of two orders; plans at run time try others: `orders_to_try`.
//
// Example: f32 ab -> ba of 7264 x 7264, tiles of 16 x 16, 454 steps along each side. A tile writes 16 rows, each in a
// page of its own, so at most 64 steps along the source open 1024 pages. 35 steps are taken, 560 pages: 13 times 35 is
// 1 more than 454. Then come the 454 steps along the destination, which go on in the same pages, and outermost 13 times
// the 35 steps, the last of which move back by 1.

/// An order of loops. Innermost are loops in the order of one side, as many steps as open `pages` pages of the other
/// side. The others follow in the order of the other side, which goes on in these pages.
struct loop_order {
    side inside = side::source;
    dim_t pages = 0;                ///< 0: no limit; all loops are then in the order of the larger of their two steps
    bool completes_blocks = false;  ///< true: steps that complete blocks of the destination come before all others
    bool fetches_destination = false;  ///< true: tiles prefetch the lines that they will write
    bool past_caches = false;          ///< true: stores past the caches, if tiles write whole lines
    bool in_strips = false;            ///< true: strips as of a smaller tensor, with a staging buffer if rows compete
    bool is_plans_own = false;         ///< true: the loops stay as they are, and only the stores differ
    bool stages_lines = false;         ///< true: a staging buffer makes whole cache lines of what tiles write
    bool stages_run = false;           ///< true: a staging buffer is stored past the caches as one run
};

/// The number of pages that stay open: half of what the second level of a TLB holds. Measured on Emerald Rapids (57
/// permutations of 200 MB, share of memcpy in geometric mean): 32 pages 0.54, 128 0.58, 512 0.62, 1024 0.65.
inline constexpr dim_t open_pages = 1024;
inline constexpr dim_t page_bytes = 4096;

/// The two orders of static kernels, and of first calls.
inline constexpr loop_order along_source = {.pages = open_pages, .completes_blocks = true, .past_caches = true},
                            along_destination = {.inside = side::destination, .pages = 64, .past_caches = true};

/// Returns how many pages each page becomes if what lies in it is repeated, at least 1.
constexpr dim_t pages_of(dim_t extent, dim_t step, int element_bytes) {
    const dim_t bytes = step_size(step) * element_bytes;
    return larger_of(1, bytes >= page_bytes ? extent : extent * bytes / page_bytes);
}

/// Returns the number of steps to cut a loop into, at most `most`: of those above half of it, the number that takes the
/// fewest steps twice, of the first 1024 numbers of parts. A loop that has bounds takes none twice; 1 if it cannot be
/// cut.
constexpr dim_t steps_for_pages(const plan_loop& loop, dim_t most) {
    constexpr int most_tries = 1024;  // a loop of 2^50 steps has as many numbers of parts
    if (most <= 1 || loop.extent == 0) return 1;
    dim_t best = 1, fewest = loop.bound < 0 && loop.overlap == 0 ? most : 1;
    int tries = 0;
    // For each number of parts the fewest steps that make no more of them, because more would only be taken twice.
    for (dim_t parts = divide_up(loop.extent, most), steps = most + 1;
         fewest > 0 && steps > most / 2 + 1 && ++tries <= most_tries; ++parts) {
        steps = larger_of(divide_up(loop.extent, parts), most / 2 + 1);
        const dim_t twice = parts * steps - loop.extent;
        if (twice >= fewest) continue;
        best = steps;
        fewest = twice;
    }
    return best;
}

/// Returns the step of a loop or a bit on one side, without its sign.
template <class Step>
constexpr dim_t step_on(const Step& step, side of) {
    return step_size(of == side::source ? step.src : step.dst);
}

/// Sorts loops by what `step` returns, the smallest first.
template <class Step>
constexpr void sort_loops(inline_list<plan_loop, max_loops + 2>& loops, const Step& step) {
    for (int i = 1; i < loops.size(); ++i)
        for (int k = i; k > 0 && step(loops[k]) < step(loops[k - 1]); --k) {
            const plan_loop further_out = loops[k - 1];
            loops[k - 1] = loops[k];
            loops[k] = further_out;
        }
}

/// Orders the loops of a plan that no cache holds, usually one with non-temporal stores.
///
/// Pre:     no loop is uneven, and none fills a staging buffer
/// Post:    the loops move the same elements, some of them twice
class large_order {
public:
    constexpr explicit large_order(reorder_plan& plan, const loop_order& as)
        : plan_(plan), as_(as), outside_(as.inside == side::source ? side::destination : side::source) {
        for (const tile_bit& bit : plan.bits) pages_ *= pages_of(2, step_on(bit, outside_), bytes());
        if (plan.pattern.interleave != 0)
            pages_ *= pages_of(plan.pattern.interleave, step_on(plan.interleaved, outside_), bytes());
    }
    constexpr void order() {
        if (as_.completes_blocks) write_blocks();
        sort_loops(left(), [&](const plan_loop& loop) {
            const dim_t inside = step_on(loop, as_.inside), outside = step_on(loop, outside_);
            return as_.pages == 0 ? larger_of(inside, outside) : inside;
        });
        while (!left().empty() && take_first()) {}
        sort_loops(left(), [&](const plan_loop& loop) { return step_on(loop, outside_); });
        while (!left().empty()) take(0, left()[0]);
        for (int k = inner_.size() - 1; k >= 0; --k) left().push_back(inner_[k]);
    }

private:
    reorder_plan& plan_;
    loop_order as_;
    side outside_;                                 ///< the side whose pages are counted
    dim_t pages_ = 1;                              ///< that the tile and the loops inside open on that side
    inline_list<plan_loop, max_loops + 2> inner_;  ///< innermost first

    constexpr inline_list<plan_loop, max_loops + 2>& left() { return plan_.loops; }
    constexpr int bytes() const { return outside_ == side::source ? plan_.sizes.src : plan_.sizes.dst; }
    constexpr void take(int k, const plan_loop& loop) {
        inner_.push_back(loop);
        left().erase(k);
    }
    /// If a few steps along the destination complete blocks of it that follow each other, these steps are innermost.
    ///
    /// Example: f32 nchw -> nhwc of 64 channels: 4 steps along c write 16 places whole
    constexpr void write_blocks() {
        constexpr dim_t most_pages = 64;  // pages of the source, which the first level of a TLB holds
        int along = 0, next = -1;
        for (int k = 1; k < left().size(); ++k)
            if (step_size(left()[k].dst) < step_size(left()[along].dst)) along = k;
        const plan_loop& loop = left()[along];
        for (int k = 0; k < left().size(); ++k)
            if (k != along && left()[k].src == plan_.run_of_tile(side::source) && left()[k].extent >= 16) next = k;
        dim_t rows = loop.extent, run = loop.dst * loop.extent;
        for (const tile_bit& bit : plan_.bits) {
            rows *= pages_of(2, bit.src, plan_.sizes.src);
            if (bit.dst >= plan_.run_of_tile(side::destination)) run *= 2;
        }
        if (next >= 0 && rows <= most_pages && left()[next].dst == run) take(along, loop);
    }
    /// Takes the first loop, whole or as many steps as there are pages for; false if that is not all.
    constexpr bool take_first() {
        plan_loop loop = left()[0];
        const dim_t all = pages_of(loop.extent, step_on(loop, outside_), bytes());
        if (as_.pages == 0 || all <= as_.pages / pages_) {
            pages_ *= all;
            take(0, loop);
            return true;
        }
        const dim_t most = as_.pages / pages_ * loop.extent / all;
        const dim_t steps = inner_.size() + left().size() < max_loops ? steps_for_pages(loop, most) : 1;
        if (steps == 1) return false;
        inner_.push_back(cut_off(loop, steps));
        left()[0] = loop;
        return false;
    }
};

/// True if the rows of the destination that the first 16 tiles write begin in few sets of a cache: 32 rows or more in
/// each set that is used. Measured on Zen 5, 88 permutations of 200 MB: the second order is then 1.4 times as fast as
/// the first in geometric mean (20 rows), otherwise 0.83 times.
///
/// Example: f32 ab -> ba of 4096 x 4096: rows are 16384 bytes apart, so that all 256 begin in one set
constexpr bool crowds_sets(const reorder_plan& plan) {
    constexpr dim_t most_tiles = 16, sets = 64;
    inline_list<dim_t, 2 * max_tile_bits + max_loops> counts, steps;
    const auto repeat = [&](dim_t count, dim_t step) { counts.push_back(count), steps.push_back(step); };
    const dim_t run = plan.run_of_tile(side::destination);
    for (const tile_bit& bit : plan.bits)
        if (step_size(bit.dst) >= run) repeat(2, bit.dst);
    dim_t tiles = most_tiles;
    for (int k = plan.loops.size() - 1; k >= 0 && tiles > 1; --k) {
        const dim_t count = plan.loops[k].extent < tiles ? plan.loops[k].extent : tiles;
        if (count == 0) return false;
        repeat(count, plan.loops[k].dst);
        tiles /= count;
    }
    dim_t rows = 1, used = 0, at = 0;
    for (const dim_t count : counts) rows *= count;
    bool is_used[sets]{};
    dim_t index[counts.capacity()]{};
    for (dim_t row = 0; row < rows; ++row) {
        bool& in_set = is_used[divide_down(at * plan.sizes.dst, cache_line_bytes) & (sets - 1)];
        used += !in_set;
        in_set = true;
        if (32 * used > rows) return false;  // usually after some 32 of up to 1024 rows
        for (int k = 0; k < counts.size(); ++k) {
            at += steps[k];
            if (++index[k] < counts[k]) break;
            at -= counts[k] * steps[k];
            index[k] = 0;
        }
    }
    return rows >= 32 * used;
}

/// Orders the loops of a plan with non-temporal stores for its first call, or for all calls of a static kernel.
///
/// Pre:     may_stream(plan), and no loop is uneven
constexpr void order_large_loops(reorder_plan& plan) {
    large_order(plan, along_source).order();
    if (!crowds_sets(plan)) return;
    join_loops(plan);
    large_order(plan, along_destination).order();
}

/// Returns how far ahead a kernel with non-temporal stores prefetches its source, in elements; 0 if it does not. It is
/// the number of steps of a loop, at least 8 tiles and at most 64, that most often leads to a tile still to be moved.
///
/// Loops that go on in each other's direction count as one. Measured: along a long loop 4 to 16 tiles are equally good;
/// steps that mostly lead elsewhere cost more than they gain.
///
/// Example: 35 steps of 64 bytes inside 454 steps of 16 rows: 16 rows, which are 35 tiles ahead
constexpr dim_t prefetch_distance(const reorder_plan& plan) {
    constexpr dim_t least = 8, most = 64;
    dim_t best = 0, rarest = 5;  // one step in 5 may lead elsewhere
    dim_t inside = 1;
    for (int k = plan.loops.size() - 1; k >= 0 && inside > 0 && inside <= most; --k) {
        const plan_loop& loop = plan.loops[k];
        dim_t chain = loop.extent;
        for (int outer = k - 1; outer >= 0 && plan.loops[outer].src == loop.src * chain; --outer)
            chain *= plan.loops[outer].extent;
        const dim_t steps = divide_up(least, inside);
        if (loop.src != 0 && steps * rarest <= chain && steps * inside <= most) {
            best = steps * loop.src;
            rarest = chain / steps + 1;
        }
        inside *= loop.extent;
    }
    return best;
}

/// Returns how many bytes of its source a tile spans if the source is large, and most of it is not moved; 0 for other
/// sources. The CPU prefetches little of it, because each line is asked for once, in no simple order.
///
/// Example: u8 aBcd32b -> abcd of 2x3x1024x512, three of 32 channels: 64 places are 2048 bytes. 2.9 ms without a
///          prefetch of them, and 1.2 with (Zen 4)
constexpr dim_t span_in_sparse_source(const reorder_plan& plan) {
    constexpr dim_t least_bytes = dim_t{8} << 20, most_of_tile = 4096;
    const dim_t memory = plan.src_end - plan.src_offset;
    if (memory * plan.sizes.src < least_bytes || memory < 2 * plan.elements) return 0;
    dim_t span = 1;
    for (const tile_bit& bit : plan.bits) span += bit.src;
    return span > 1 && span * plan.sizes.src <= most_of_tile ? span * plan.sizes.src : 0;
}

/// The two loops of a plan that continue where its tile ends: one in the source, one in the destination.
struct tile_loops {
    int along_src = -1, along_dst = -1;
};

/// Orders the loops: the smaller the smaller step of its two sides, the further inside, so that a cache line is used up
/// while it is cached. Returns the two innermost loops if each steps less than the other on one side.
constexpr tile_loops order_loops(inline_list<plan_loop, max_loops + 2>& loops) {
    const auto least = [&](const plan_loop& loop) {
        const dim_t src = step_size(loop.src), dst = step_size(loop.dst);
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
    const bool along_dst = step_size(inner.dst) < step_size(outer.dst),
               along_src = step_size(inner.src) < step_size(outer.src);
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
///   uneven steps have here, longer loops count as short; so they do if elements are moved one by one, because a short
///   innermost loop takes as long as its elements. f32 aBcde4b -> Abcde16a of 1035x1x1x3x3: 3.7 us instead of 8.1
///   (Zen 4).
constexpr void order_tile_loops(reorder_plan& plan, const tile_loops& tile, bool streams) {
    auto& loops = plan.loops;
    plan_loop src = loops[tile.along_src], dst = loops[tile.along_dst];
    loops.erase(loops.size() - 1);
    loops.erase(loops.size() - 1);
    inline_list<plan_loop, 4> inner;  // innermost first
    bool strips = false, staged = false;
    const dim_t run = plan.run_of_tile(side::destination);
    const auto rows_crowd = [&](dim_t steps) {  // also true if there are too many to know
        destination_rows rows = rows_of_tile(plan, run);
        rows.repeat(steps, src.dst);
        return rows.too_many || rows.crowd(plan.sizes.dst);
    };
    const dim_t few = streams || !plan.pattern.has_vectors() ? 16 : 4;
    const bool short_src = src.extent <= few && (streams || !rows_crowd(src.extent));
    if (!short_src && loops.size() + 4 <= max_loops) {
        dim_t src_steps = 1;
        if (const dim_t source_run = plan.source_run_bytes(); source_run < cache_line_bytes)
            src_steps = steps_to_cut(src, 2, cache_line_bytes / source_run);
        const dim_t rows = rows_in_tile(plan, run) * src_steps, room = staging_bytes / (rows * run * plan.sizes.dst);
        // Rows of the staging buffer are copied by vectors of at least 16 bytes.
        staged = !streams && plan.bounds.empty() && plan.pattern.interleave == 0 && rows <= max_staging_rows &&
                 room > 0 && run * plan.sizes.dst % 16 == 0 && dst.dst == run &&
                 src.dst * src_steps > dst.dst * dst.extent / 2 && rows_crowd(src_steps);
        if (src_steps > 1) inner.push_back(cut_off(src, src_steps));
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

// The orders of loops, and of stores past the caches or into them, that a plan at run time tries with its first calls,
// see engine/kernel/order_trials.hpp. Which is the fastest depends on the CPU, its caches and the pages of memory, and
// no formula was found for it.
//
// Example: f32 ab -> ba of 2048 x 1024, 16 MB in all. The plan fills a staging buffer with 16 x 16 tiles, because rows
// that are 8192 bytes apart share sets of a cache. On Zen 4 it is 1.7 times as fast without the buffer, in steps along
// the destination first.

/// The orders with stores into the caches that a plan tries in addition to its own. Measured on Zen 4, 98 drawn
/// permutations and formats of 1 to 24 MB in all: the best of these and the plan's own order is 1.06 times as fast as
/// the plan's in geometric mean; the best of 19 orders 1.07 times.
inline constexpr loop_order along_both = {}, of_few_pages = {.pages = 256},
                            fetching = {.inside = side::destination, .pages = 1024, .fetches_destination = true};

/// Orders that are tried: the first of them always, the others if tiles write whole lines, so that stores past the
/// caches and into them are both possible, and some last caches hold the tensor while others do not.
struct orders_of_size {
    std::span<const loop_order> all;
    std::size_t always;

    constexpr std::span<const loop_order> tried(bool tries_stores) const {
        return tries_stores ? all : all.first(always);
    }
};

/// The orders that are tried below `streaming_bytes`.
inline constexpr loop_order cached_orders[] = {along_both, of_few_pages, fetching, along_source};
inline constexpr orders_of_size orders_in_caches = {cached_orders, 3};

/// The order that is tried in addition, before all others, if tiles write parts of lines and a buffer makes whole lines
/// of them.
inline constexpr loop_order by_staged_lines = {.past_caches = true, .stages_lines = true};

/// The plan's own loops with the other stores: into the caches, and past them.
inline constexpr loop_order other_stores[] = {{.is_plans_own = true}, {.past_caches = true, .is_plans_own = true}};

/// The orders that are tried from `streaming_bytes` on. Measured on Zen 5, 54 rows of `./dev bench large` that move the
/// innermost axis, share of memcpy in geometric mean: the first order 0.69, the best of the first three 0.80, of the
/// first five 0.83.
inline constexpr loop_order large_orders[] = {by_staged_lines,
                                              along_source,
                                              along_destination,
                                              {.past_caches = true},
                                              {.pages = 256, .past_caches = true},
                                              {.inside = side::destination, .pages = 16, .past_caches = true},
                                              other_stores[0],
                                              {.in_strips = true},
                                              along_both,
                                              of_few_pages,
                                              fetching};
inline constexpr orders_of_size orders_past_caches = {std::span(large_orders).subspan(1), 5};
/// The orders of plans whose tiles write parts of lines, of which a staging buffer makes whole ones.
inline constexpr std::span<const loop_order> orders_by_lines = std::span(large_orders).first(6);

/// Returns how many bytes of caches a plan needs for what it reads and writes: all of a cache line of which it needs a
/// part.
///
/// Pre:     64 * plan.elements < 2^60
/// Example: s8 BcdA16a64b4a -> aBcd32b of 1x128x64x64: 512 KB are written, and one byte in four of 2 MB is read
constexpr dim_t bytes_in_caches(const reorder_plan& plan) {
    double src = cache_line_bytes, dst = cache_line_bytes;
    // A step within a line leads to other lines as soon as there are enough of them.
    const auto repeat = [](double& bytes, double count, dim_t step, int element_bytes) {
        const auto lines = static_cast<double>(step_size(step) * element_bytes) / cache_line_bytes;
        const double times = count * (lines < 1 ? lines : 1);
        if (times > 1) bytes *= times;
    };
    const auto repeat_both = [&](double count, const auto& step) {
        repeat(src, count, step.src, plan.sizes.src);
        repeat(dst, count, step.dst, plan.sizes.dst);
    };
    for (const tile_bit& bit : plan.bits) repeat_both(2, bit);
    if (plan.pattern.interleave != 0) repeat_both(plan.pattern.interleave, plan.interleaved);
    for (const plan_loop& loop : plan.loops) {
        const auto overlap = static_cast<double>(loop.overlap);
        const double twice = overlap > 0 ? overlap / static_cast<double>(loop.index_step) : 0;
        repeat_both(static_cast<double>(loop.extent) - twice, loop);
    }
    return static_cast<dim_t>(src + dst);
}

/// The orders of plans whose tiles write no whole lines, but whose loops write runs: first a staging buffer for runs,
/// then those of other plans.
inline constexpr loop_order run_orders[] = {
    {.past_caches = true, .stages_run = true}, along_both, of_few_pages, fetching};
inline constexpr loop_order large_run_orders[] = {by_staged_lines, run_orders[0],   along_source,   along_destination,
                                                  large_orders[3], large_orders[4], large_orders[5]};

/// The number of bytes, of caches or read and written, from which a plan tries orders. Smaller tensors gain less than
/// trials cost: each puts loops in order, 150 to 450 ns (measured, Zen 3), in calls of at least 40 us.
inline constexpr dim_t least_bytes_to_try = dim_t{2} << 20;

/// The numbers of bytes, read and written, between which stores past the caches and into them are tried: some last
/// caches hold what others do not. In between, from `streaming_bytes` on, the plan's own order stores past the caches.
inline constexpr dim_t least_bytes_past_caches = dim_t{8} << 20, most_bytes_into_caches = dim_t{512} << 20;

/// The most orders that a plan has, with its own.
inline constexpr int most_orders = 1 + sizeof(large_orders) / sizeof(large_orders[0]);

/// Orders the loops around tiles that write runs shorter than a cache line, because their registers do not suffice for
/// more: those whose bytes exchange halves, and those of small elements. A staging buffer makes cache lines of the
/// runs. False, and nothing is changed, if the tiles need none.
///
/// Example: u4 ab -> ba of 16384 x 16384 with AVX-512: a tile writes 32 rows of 32 bytes and reads 64 rows of 16 bytes.
///          4 steps along the source and 2 along the destination fill a staging buffer of 128 rows of 64 bytes from
///          whole cache lines. These rows go to the destination past the caches.
///
/// Pre:     order_loops(plan.loops) == along
/// Post:    the loops move the same elements, some of them twice
constexpr bool stage_short_runs(reorder_plan& plan, const tile_loops& along) {
    constexpr dim_t least_bytes = dim_t{1} << 20;  // read and written
    auto& loops = plan.loops;
    plan_loop src = loops[along.along_src], dst = loops[along.along_dst];
    const dim_t run = plan.run_of_tile(side::destination), source_run = plan.run_of_tile(side::source);
    destination_rows rows = rows_of_tile(plan, run);
    const bool is_large = plan.bytes_moved() >= streaming_bytes;
    const dim_t bytes = plan.sizes.dst, line = cache_line_bytes / bytes;
    if (!plan.bounds.empty() || (!is_large && !rows.crowd(plan.sizes.dst)) || !plan.uneven_steps.empty() ||
        plan.bytes_moved() < least_bytes || rows.too_many || run >= line || run * bytes % 16 != 0 || dst.dst != run ||
        src.src != source_run || loops.size() + 3 > max_loops)
        return false;
    // As many steps along the source as read whole cache lines, and along the destination as write whole ones.
    const dim_t src_steps =
        source_run < line
            ? steps_to_cut(src, 2, smaller_of(line / source_run, max_rows_of_short_runs / rows.offset.size()))
            : 1;
    const dim_t lines = 2 * line / run;
    const dim_t all_rows = rows.offset.size() * src_steps;
    const dim_t room = (most_staging_bytes / all_rows - cache_line_bytes) / (run * bytes);
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

/// The shortest run that is staged, in bytes: its lines at both ends are stored in parts.
inline constexpr dim_t least_run_bytes = 512;

/// Puts the loops in the order of the destination, and lets those that write a run of it fill a staging buffer, if the
/// run has enough cache lines. Otherwise there is no staging buffer.
///
/// Pre:     plan.staged_from < 0; no loop is uneven
/// Post:    the loops move the same elements
constexpr void stage_run(reorder_plan& plan, dim_t least_bytes = least_run_bytes, dim_t most_bytes = staging_bytes) {
    auto& loops = plan.loops;
    const dim_t bytes = plan.sizes.dst;
    sort_loops(loops, [](const plan_loop& loop) { return -step_size(loop.dst); });
    dim_t run = 0;
    int from = loops.size();
    for (int k = loops.size(); k >= 0; --k) {
        const dim_t longer = run_of_loops(plan, k);
        if (longer * bytes > most_bytes) break;
        if (longer > 0) run = longer, from = k;
    }
    if (run == 0) return;
    if (from > 0 && loops[from - 1].dst == run && loops[from - 1].bound < 0 && loops.size() < max_loops) {
        plan_loop outer = loops[from - 1];
        const dim_t steps = steps_to_cut(outer, 2, most_bytes / (run * bytes));
        if (steps > 1) {
            const auto uncut = loops;
            const plan_loop inner = cut_off(outer, steps);
            loops[from - 1] = outer;
            loops.push_back(inner);
            for (int k = loops.size() - 1; k > from; --k) loops[k] = loops[k - 1];
            loops[from] = inner;
            if (const dim_t longer = run_of_loops(plan, from); longer > run) run = longer;
            else loops = uncut;
        }
    }
    if (run * bytes < least_bytes) return;
    plan.staged_from = from;
    plan.staged_run = run;
}

/// Returns a plan with its loops in another order, and without a staging buffer unless the order has one.
///
/// Pre:     the order is one of orders_to_try(plan), or of a plan of which this is a part
/// Post:    moves the same elements from and to the same places
constexpr reorder_plan in_order(reorder_plan plan, const loop_order& order) {
    if (order.is_plans_own) return plan;
    join_loops(plan);
    plan.staged_from = -1;
    plan.staged_run = 0;
    if (order.stages_run) stage_run(plan);
    else if (order.stages_lines) {
        if (const tile_loops apart = order_loops(plan.loops); apart.along_src >= 0) stage_short_runs(plan, apart);
    } else if (!order.in_strips) large_order(plan, order).order();
    else if (const tile_loops apart = order_loops(plan.loops); apart.along_src >= 0)
        order_tile_loops(plan, apart, false);
    plan.prefetch = prefetch_distance(plan);
    plan.destination_prefetch = order.fetches_destination || order.in_strips ? destination_ahead(plan) : 0;
    return plan;
}

/// Returns the orders that a plan tries in addition to its own: none if it needs little of the caches; only other
/// stores if its loops must have the order that they have.
constexpr std::span<const loop_order> orders_to_try(const reorder_plan& plan) {
    const dim_t bytes = plan.bytes_moved();
    // A line of which one byte is needed is 64 of them.
    const bool moves_whole_lines =
        plan.source_run_bytes() >= cache_line_bytes && plan.contiguous_bytes() >= cache_line_bytes;
    if (bytes < least_bytes_to_try && (bytes < least_bytes_to_try / cache_line_bytes || moves_whole_lines ||
                                       bytes_in_caches(plan) < least_bytes_to_try))
        return {};
    const bool is_large = bytes >= streaming_bytes;
    const bool tries_stores = bytes >= least_bytes_past_caches && bytes < most_bytes_into_caches && can_stream(plan);
    const bool needs_staging = plan.staged_from >= 0 && plan.pattern.half_bytes >= 0;
    if (bytes >= least_bytes_past_caches && !can_stream(plan) && !needs_staging && plan.uneven_steps.empty() &&
        plan.pattern.has_vectors() && in_order(plan, run_orders[0]).staged_run > 0) {
        const std::span<const loop_order> in_caches = run_orders, past_caches = large_run_orders;
        if (plan.loops.size() < 2) return in_caches.first(1);
        if (!is_large) return in_caches;
        return in_order(plan, by_staged_lines).stages_whole_lines() ? past_caches : past_caches.subspan(1);
    }
    if (plan.loops.size() < 2 || needs_staging || !plan.uneven_steps.empty())
        return orders_of_size{{&other_stores[is_large ? 0 : 1], 1}, 0}.tried(tries_stores);
    if (is_large && in_order(plan, by_staged_lines).stages_whole_lines()) return orders_by_lines;
    return (is_large ? orders_past_caches : orders_in_caches).tried(tries_stores);
}

}  // namespace plait::engine
