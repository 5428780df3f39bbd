#pragma once
// Runs a plan known only at run time: its loops, and the strips of tiles that go through staging buffers.
//
// Example: u4 ab -> ba of 16384 x 16384: the source of the next strip is prefetched; 128 rows of 64 bytes of this strip
// are copied to one buffer, tiles move them to another, and 128 rows of 64 bytes go from there past the caches.

#include <plait/engine/kernel/run_time_loops.hpp>

#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A staging buffer and the loops that fill it.
struct run_time_loops::filled_staging_buffer {
    staging_buffer through;
    staged_source from;  ///< empty if tiles read the source itself
    run_time_offsets offsets;
    found_edges found;
    mutable run_time_loops loops;  ///< its ranges and masks change while it runs; everything else is constant
    /// The strip that is moved when the next one is known, because its source is prefetched meanwhile. Null: none.
    mutable const std::byte* waiting_src = nullptr;
    mutable std::byte* waiting_dst = nullptr;
    filled_staging_buffer(const reorder_plan& plan, const run_time_kernel& kernel, const move_factors& factors)
        : through(plan),
          offsets(offsets_of_filling(plan, kernel)),
          loops(through.filling, kernel, offsets, false, found) {
        offsets.factors = factors;
    }

private:
    run_time_offsets offsets_of_filling(const reorder_plan& plan, const run_time_kernel& kernel) {
        if (plan.pattern.half_bytes >= 0) from = staged_source(through.filling);
        move_uneven_loops_out(through.filling);
        return kernel.offsets_for(through.filling);
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
    staged.loops.cut_boxes(0, src, rows, remaining);
    const dim_t bytes = plan_.sizes.dst;
    for (int row = 0; row < through.rows.size(); ++row)
        std::memcpy(dst + through.rows[row] * bytes, rows + row * through.pitch * bytes,
                    static_cast<std::size_t>(through.row_elements * bytes));
}

/// Runs a plan with the kernel of its pattern. Edges are added to `found`, which runs of the same plan share.
///
/// Pre:     as run_time_tiles; offsets == kernel.offsets_for(plan), but for its factors; stream: may_stream(plan), and
/// dst begins at a cache line
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
/// Runs a plan with the kernel of its pattern, after computing the offsets.
inline void run_kernel(const reorder_plan& plan, const run_time_kernel& kernel, bool stream, const std::byte* src,
                       std::byte* dst) noexcept {
    run_kernel(plan, kernel, kernel.offsets_for(plan), stream, src, dst);
}

inline constexpr dim_t most_bytes_of_kept_edges = dim_t{128} << 10;  ///< finding edges takes no time in larger calls

/// Finds the edges of a small plan, by running its loops around a kernel that moves nothing.
///
/// Pre:     as run_kernel
inline void keep_edges(kept_edges& out, const reorder_plan& plan, const run_time_kernel& kernel,
                       const run_time_offsets& offsets) noexcept {
    if (plan.bounds.empty() || kernel.masked == nullptr || plan.staged_from >= 0 || !plan.uneven_steps.empty() ||
        plan.bytes_moved() > most_bytes_of_kept_edges)
        return;
    run_time_kernel none;
    none.whole = [](const reorder_plan&, const run_time_offsets&, const tile_walk&, const std::byte*,
                    std::byte*) noexcept {};
    none.masked = [](const reorder_plan&, const run_time_offsets&, const segment_lanes&, const tile_walk&,
                     const std::byte*, std::byte*) noexcept {};
    found_edges found;
    alignas(64) std::byte place{};  // the loops compute addresses from it, which nothing reads
    run_kernel(plan, none, offsets, false, &place, &place, found);
    out.keep(found, 1 << offsets.src_bits.size(), 1 << offsets.dst_bits.size());
}

}  // namespace plait::engine
