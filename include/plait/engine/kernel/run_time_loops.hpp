#pragma once
// The loops around the tiles of a plan known only at run time. No instruction is named here: all kernels share the
// code.
//
// If tiles can pass the end of an axis, the steps of its loops fall into ranges of equal tiles: whole tiles; usually
// one that passes the end of the source; tiles of padding only; one that passes the end of the padding. A box is one
// such range of each loop. Few calls of one kernel move all tiles of a box, and the remaining extents are found once a
// box.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, tiles of 16 channels by 16 places: a loop of 2 steps along
// channels around one of 196. Step 0 along channels is whole, step 1 has one channel of 16. These are two boxes of 196
// tiles, and one call of a kernel moves each.

#include <plait/engine/kernel/run_time_tiles.hpp>
#include <plait/engine/plan/staging.hpp>

#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The number of bytes that are cut into boxes at a time: tiles at an end then find the cache lines that their
/// neighbours used still in the cache.
inline constexpr dim_t box_bytes = dim_t{256} << 10;

/// The loops of a plan around its tiles.
///
/// Pre:     as run_time_tiles
class run_time_loops {
    struct filled_staging_buffer;

public:
    run_time_loops(const reorder_plan& plan, const run_time_kernel& kernel, const run_time_offsets& offsets,
                   bool stream, found_edges& found, const kept_edges* kept = nullptr, walk_recorder* recorder = nullptr)
        : tiles_(plan, kernel, offsets, stream, found, kept, recorder),
          plan_(plan),
          streams_(stream),
          boxes_from_(first_loop_of_boxes(plan)) {}

    /// Runs all loops, for tensors whose offset 0 is at src and dst.
    void run(const std::byte* src, std::byte* dst) noexcept {
        remaining_extents<> remaining(plan_, src);
        src += plan_.src_offset * plan_.sizes.src;
        dst += plan_.dst_offset * plan_.sizes.dst;
        if (plan_.staged_from >= 0) run_staged(src, dst, remaining);
        else run_loops(0, src, dst, remaining, boxes_from_, nullptr);
        if (streams_) tiles_.kernel().finish_streams();
    }

private:
    /// A range of steps of one loop with equal tiles: their number, and the size of a step in bytes.
    struct step_range {
        dim_t count, src, dst;
    };

    run_time_tiles tiles_;
    const reorder_plan& plan_;
    bool streams_;
    int boxes_from_;  ///< the first of the loops that are cut into boxes
    // The ranges of the loops around the one that is cut, outermost first, without ranges of one step.
    step_range ranges_[max_loops + 2];
    int ranges_count_ = 0;

    static int first_loop_of_boxes(const reorder_plan& plan) {
        bool has_ends = !plan.bounds.empty();
        for (int k = 0; k + 1 < plan.loops.size(); ++k) has_ends = has_ends || plan.loops[k].overlap != 0;
        if (!has_ends) return 0;
        int first = plan.loops.size();
        dim_t bytes = (plan.sizes.src + plan.sizes.dst) << (plan.pattern.lane_bits + plan.pattern.register_bits);
        while (first > 0 && bytes < box_bytes) bytes *= plan.loops[--first].extent;
        return first;
    }

    /// Calls `inside` at each step of a loop.
    template <class Inside>
    void for_each_step(const plan_loop& loop, const std::byte* src, std::byte* dst, remaining_extents<>& remaining,
                       const Inside& inside) const {
        const auto step = [&](dim_t src_step, dim_t dst_step, dim_t indices_on) {
            src += src_step * plan_.sizes.src;
            dst += dst_step * plan_.sizes.dst;
            remaining.move_on(loop.bound, indices_on);
        };
        for (dim_t i = 0; i < loop.extent; ++i) {
            if (loop.overlap != 0 && i + 1 == loop.extent) step(-loop.overlap_src, -loop.overlap_dst, -loop.overlap);
            inside(src, dst);
            step(loop.src, loop.dst, loop.index_step);
            if (loop.is_uneven) {
                const uneven_offsets more = uneven_behind(plan_.uneven_steps, loop.axis, i);
                step(more.src, more.dst, 0);
            }
        }
        remaining.move_on(loop.bound, loop.overlap - loop.extent * loop.index_step);
    }
    /// Runs the loops [first, end), around a staging buffer or boxes.
    void run_loops(int first, const std::byte* src, std::byte* dst, remaining_extents<>& remaining, int end,
                   const filled_staging_buffer* staged) noexcept {
        if (first < end)
            return for_each_step(plan_.loops[first], src, dst, remaining, [&](const std::byte* from, std::byte* to) {
                run_loops(first + 1, from, to, remaining, end, staged);
            });
        if (staged != nullptr) return next_strip(*staged, src, dst, remaining);
        cut_boxes(end, src, dst, remaining);
    }

    /// Cuts the loops from number `k` inwards into boxes, and moves each box.
    void cut_boxes(int k, const std::byte* src, std::byte* dst, remaining_extents<>& remaining) noexcept {
        if (k == plan_.loops.size()) return run_box(nullptr, src, dst, remaining);
        const plan_loop& loop = plan_.loops[k];
        if (loop.is_uneven)
            return for_each_step(loop, src, dst, remaining,
                                 [&](const std::byte* from, std::byte* to) { cut_boxes(k + 1, from, to, remaining); });
        if (loop.bound >= 0) return cut_along_bound(k, src, dst, remaining);
        if (loop.overlap == 0) return cut_inside(k, 0, loop.extent, src, dst, remaining);
        const dim_t count = loop.extent - 1;
        if (k + 1 == plan_.loops.size() && count > 0) {
            ranges_[ranges_count_++] = range_of(loop, count);
            run_box(&loop, src, dst, remaining);
            --ranges_count_;
            return;
        }
        cut_inside(k, 0, count, src, dst, remaining);
        src -= loop.overlap_src * plan_.sizes.src;
        dst -= loop.overlap_dst * plan_.sizes.dst;
        cut_inside(k, count, 1, src, dst, remaining);
    }
    /// Cuts the loops inside number `k`, for `count` of its steps from number `first`, whose tiles are equal.
    void cut_inside(int k, dim_t first, dim_t count, const std::byte* src, std::byte* dst,
                    remaining_extents<>& remaining) noexcept {
        if (count == 0) return;
        const step_range range = range_of(plan_.loops[k], count);
        const int others = ranges_count_;
        if (count > 1) ranges_[ranges_count_++] = range;
        cut_boxes(k + 1, src + first * range.src, dst + first * range.dst, remaining);
        ranges_count_ = others;
    }
    step_range range_of(const plan_loop& loop, dim_t count) const {
        return {count, loop.src * plan_.sizes.src, loop.dst * plan_.sizes.dst};
    }
    /// Returns how many steps of a loop stay below `indices`, if each reaches `reach` indices.
    static dim_t steps_within(const plan_loop& loop, dim_t reach, dim_t indices) {
        const dim_t room = indices - reach;
        if (room < 0) return 0;
        if (room >= (loop.extent - 1) * loop.index_step) return loop.extent;
        return divide_down(room, loop.index_step) + 1;
    }
    /// Cuts a loop along which tiles pass an end into ranges. It never overlaps: only loops of axes without ends do.
    void cut_along_bound(int k, const std::byte* src, std::byte* dst, remaining_extents<>& remaining) noexcept {
        const plan_loop& loop = plan_.loops[k];
        const int x = loop.bound;
        dim_t reach = plan_.bounds[x].reach;  // reach of a step, including its tile and the loops inside
        for (int inside = k + 1; inside < plan_.loops.size(); ++inside)
            if (plan_.loops[inside].bound == x)
                reach += (plan_.loops[inside].extent - 1) * plan_.loops[inside].index_step;
        const dim_t valid = remaining.valid[x], stored = remaining.stored[x];
        const dim_t whole = steps_within(loop, reach, valid < stored ? valid : stored);
        for (dim_t i = 0; i < loop.extent && i * loop.index_step < stored;) {
            dim_t count = 1;
            if (i < whole) count = whole - i;
            else if (i * loop.index_step >= valid)
                if (const dim_t all_stored = steps_within(loop, reach, stored); all_stored > i) count = all_stored - i;
            // Set for the last step, which is right for all: there is one step, or all are whole, or all are padding.
            const dim_t indices_on = (i + count - 1) * loop.index_step;
            remaining.move_on(x, indices_on);
            cut_inside(k, i, count, src, dst, remaining);
            remaining.move_on(x, -indices_on);
            i += count;
        }
    }
    /// Moves a box, its last three ranges in one walk. `overlapping` is the last loop if its last tile overlaps the one
    /// before.
    void run_box(const plan_loop* overlapping, const std::byte* src, std::byte* dst,
                 const remaining_extents<>& remaining) noexcept {
        tile_walk walk;
        int ranges_remaining = ranges_count_;
        const auto next = [&](dim_t& count, dim_t& src_step, dim_t& dst_step) {
            if (ranges_remaining == 0) return;
            const step_range& range = ranges_[--ranges_remaining];
            count = range.count;
            src_step = range.src;
            dst_step = range.dst;
        };
        next(walk.tiles, walk.src_tile, walk.dst_tile);
        next(walk.rows, walk.src_row, walk.dst_row);
        next(walk.planes, walk.src_plane, walk.dst_plane);
        if (overlapping != nullptr) {
            walk.has_overlap = true;
            walk.overlap_src = overlapping->overlap_src * plan_.sizes.src;
            walk.overlap_dst = overlapping->overlap_dst * plan_.sizes.dst;
        }
        run_ranges(ranges_remaining, walk, src, dst, remaining);
    }
    /// Runs the outer ranges, those before number `ranges_remaining`, around a walk.
    void run_ranges(int ranges_remaining, const tile_walk& walk, const std::byte* src, std::byte* dst,
                    const remaining_extents<>& remaining) noexcept {
        if (ranges_remaining == 0) return tiles_.run(walk, src, dst, remaining);
        const step_range& range = ranges_[ranges_remaining - 1];
        for (dim_t i = 0; i < range.count; ++i)
            run_ranges(ranges_remaining - 1, walk, src + i * range.src, dst + i * range.dst, remaining);
    }

    void run_staged(const std::byte* src, std::byte* dst, remaining_extents<>& remaining) noexcept;
    void next_strip(const filled_staging_buffer& staged, const std::byte* src, std::byte* dst,
                    remaining_extents<>& remaining) noexcept;
    void fill_and_copy(const filled_staging_buffer& staged, const std::byte* src, std::byte* dst,
                       remaining_extents<>& remaining) noexcept;
    void move_strip(const filled_staging_buffer& staged, const std::byte* src, std::byte* dst, const std::byte* ahead,
                    remaining_extents<>& remaining) noexcept;
};

// Runs a plan known only at run time: its loops, and the strips of tiles that go through staging buffers.
//
// Example: u4 ab -> ba of 16384 x 16384: the source of the next strip is prefetched; 128 rows of 64 bytes of this strip
// are copied to one buffer, tiles move them to another, and 128 rows of 64 bytes go from there past the caches.

/// A staging buffer and the loops that fill it.
struct run_time_loops::filled_staging_buffer : staged_strip {
    run_time_offsets offsets;
    found_edges found;
    mutable run_time_loops loops;  ///< its ranges and masks change while it runs; everything else is constant
    /// The strip that is moved when the next one is known, because its source is prefetched meanwhile. Null: none.
    mutable const std::byte* waiting_src = nullptr;
    mutable std::byte* waiting_dst = nullptr;
    filled_staging_buffer(const reorder_plan& plan, const run_time_kernel& kernel, const move_factors& factors)
        : staged_strip(plan),
          offsets(kernel.offsets_for(through.filling)),
          loops(through.filling, kernel, offsets, false, found) {
        offsets.factors = factors;
    }
};
inline void run_time_loops::run_staged(const std::byte* src, std::byte* dst, remaining_extents<>& remaining) noexcept {
    const filled_staging_buffer staged(plan_, tiles_.kernel(), tiles_.factors());
    run_loops(0, src, dst, remaining, plan_.staged_from, &staged);
    if (staged.waiting_src != nullptr) move_strip(staged, staged.waiting_src, staged.waiting_dst, nullptr, remaining);
}
inline void run_time_loops::next_strip(const filled_staging_buffer& staged, const std::byte* src, std::byte* dst,
                                       remaining_extents<>& remaining) noexcept {
    if (staged.from.rows.empty()) return fill_and_copy(staged, src, dst, remaining);
    if (staged.waiting_src != nullptr) move_strip(staged, staged.waiting_src, staged.waiting_dst, src, remaining);
    staged.waiting_src = src;
    staged.waiting_dst = dst;
}
inline void run_time_loops::move_strip(const filled_staging_buffer& staged, const std::byte* src, std::byte* dst,
                                       const std::byte* ahead, remaining_extents<>& remaining) noexcept {
    alignas(64) std::byte from[static_cast<std::size_t>(most_source_bytes)];
    alignas(64) std::byte to[static_cast<std::size_t>(most_staging_bytes)];
    const run_time_kernel& kernel = tiles_.kernel();
    if (ahead != nullptr)
        for (const dim_t row : staged.from.rows) __builtin_prefetch(ahead + row, 0, 2);
    kernel.load_rows(staged.from, src, from);
    staged.loops.cut_boxes(0, from, to, remaining);
    (streams_ ? kernel.stream_rows : kernel.store_rows)(staged.through, to, dst);
}
inline void run_time_loops::fill_and_copy(const filled_staging_buffer& staged, const std::byte* src, std::byte* dst,
                                          remaining_extents<>& remaining) noexcept {
    alignas(64) std::byte rows[static_cast<std::size_t>(most_staging_bytes)];
    const staging_buffer& through = staged.through;
    const dim_t bytes = plan_.sizes.dst;
    if (plan_.staged_run > 0) {
        // Bounds of outer loops leave all of a run, or nothing.
        for (int x = 0; x < plan_.bounds.size(); ++x)
            if (remaining.stored[x] <= 0) return;
        std::byte* const run = rows + bytes_behind_line(dst);
        staged.loops.cut_boxes(0, src, run, remaining);
        if (streams_) tiles_.kernel().stream_run(run, dst, through.row_elements * bytes);
        else std::memcpy(dst, run, static_cast<std::size_t>(through.row_elements * bytes));
        return;
    }
    staged.loops.cut_boxes(0, src, rows, remaining);
    for (int row = 0; row < through.rows.size(); ++row)
        std::memcpy(dst + through.rows[row] * bytes, rows + row * through.pitch * bytes,
                    static_cast<std::size_t>(through.row_elements * bytes));
}

/// Runs a plan with the kernel of its tile. Edges are added to `found`, which runs of the same plan share.
///
/// Pre:     as run_time_tiles; offsets == kernel.offsets_for(plan), but for its factors; stream: may_stream(plan), and
/// dst begins at a cache line, unless the plan stages a run
inline void run_kernel(const reorder_plan& plan, const run_time_kernel& kernel, const run_time_offsets& offsets,
                       bool stream, const std::byte* src, std::byte* dst, found_edges& found,
                       const kept_edges* kept = nullptr) noexcept {
    run_time_loops(plan, kernel, offsets, stream, found, kept).run(src, dst);
}
inline void run_kernel(const reorder_plan& plan, const run_time_kernel& kernel, const run_time_offsets& offsets,
                       bool stream, const std::byte* src, std::byte* dst) noexcept {
    found_edges found;
    run_kernel(plan, kernel, offsets, stream, src, dst, found);
}
/// Runs a plan with the kernel of its tile, after computing the offsets.
inline void run_kernel(const reorder_plan& plan, const run_time_kernel& kernel, bool stream, const std::byte* src,
                       std::byte* dst) noexcept {
    run_kernel(plan, kernel, kernel.offsets_for(plan), stream, src, dst);
}

inline constexpr dim_t most_bytes_of_kept = dim_t{128} << 10;  ///< finding walks takes no time in larger calls

/// Keeps the edges and the walks of a small plan, by running its loops without a kernel.
///
/// Pre:     as run_kernel, which then needs only the first elements of found edges; kept.count == 0
/// Post:    if walks.count > 0, walks.run does what run_kernel does
inline void keep_walks(kept_walks& walks, kept_edges& edges, const reorder_plan& plan, const run_time_kernel& kernel,
                       const run_time_offsets& offsets) noexcept {
    const bool has_ends = !plan.bounds.empty();
    if ((has_ends && kernel.masked == nullptr) || plan.staged_from >= 0 || !plan.uneven_steps.empty() ||
        plan.bytes_moved() > most_bytes_of_kept)
        return;
    dim_t others = 1;  // steps of the loops around a walk, which has the last three
    for (int k = 0; k + 3 < plan.loops.size(); ++k) others *= plan.loops[k].extent;
    if (!has_ends && others > kept_walks::most) return;
    found_edges found;
    alignas(64) std::byte place{};  // the loops compute addresses from it, which nothing reads
    walk_recorder recorder{&place, &place, walks};
    run_time_loops(plan, kernel, offsets, false, found, nullptr, &recorder).run(&place, &place);
    if (has_ends) edges.keep(found, 1 << offsets.src_bits.size(), 1 << offsets.dst_bits.size());
    if (!recorder.has_room || found.count > edges.count) walks.count = 0;
}

}  // namespace plait::engine
