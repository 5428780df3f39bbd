#pragma once
// The plan of a reorder, as data: the loop nest, steps of loops that differ, the tile inside the loops, and the bits of
// the tile. make_plan.hpp makes plans, and engine/simd/ turns a plan into code. Neither this file nor make_plan.hpp
// depends on any instruction.

#include <plait/core/axis.hpp>
#include <plait/engine/plan/cache_lines.hpp>
#include <plait/engine/plan/internal_names.hpp>
#include <plait/support/inline_list.hpp>
#include <plait/unit_flags.hpp>

#include <bit>  // std::countr_zero
#include <cstddef>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The side of a reorder that elements are read from, or written to.
enum class side { source, destination };

constexpr int log2_of(int power_of_two) { return std::countr_zero(static_cast<unsigned>(power_of_two)); }

/// The sizes of an element in bytes: in the source, in the destination, and in the registers between them.
struct element_sizes {
    int src = 0, dst = 0, work = 0;
    constexpr element_sizes() = default;
    /// Sizes of elements that are moved without conversion.
    constexpr explicit element_sizes(int bytes) : src(bytes), dst(bytes), work(bytes) {}
    constexpr element_sizes(int src_bytes, int dst_bytes, int work_bytes)
        : src(src_bytes), dst(dst_bytes), work(work_bytes) {}
    constexpr bool operator==(const element_sizes&) const = default;
};

inline constexpr int max_tile_bits = 12;

inline constexpr int max_register_bits = 4;  // 16 registers; more would spill

inline constexpr int most_interleaved = 9;  ///< most elements that may alternate; more of them fill a segment

/// The number of bytes moved from which non-temporal stores pay on most CPUs: the destination would not stay in a cache
/// anyway, and such stores save reading each line before it is overwritten. Static kernels decide by it; planned
/// reorders try both (orders_to_try).
inline constexpr dim_t streaming_bytes = dim_t{24} << 20;

/// The pattern of a tile: the index that each bit of it counts. Bits are numbered by their place on the source side:
/// bits 0 to lane_bits - 1 count lanes, the others registers.
///
/// A register is loaded and stored in segments. A segment is one run in memory and covers the lowest lane bits. The
/// lane bits above count segments, which may be anywhere in memory. After the network they may count any remaining bit.
struct tile_pattern {
    int lane_bits = 0;
    int register_bits = 0;
    inline_list<int, 6> dst_lanes;  ///< the bit that each lane bit of a segment counts on the destination side
    /// The bounded axis that each bit counts along, -1 for none. A tile may pass the end of such an axis.
    inline_list<int, max_tile_bits> bounds;
    int src_upper_bits = 0;  ///< lane bits above the source's segments
    /// The number of elements that alternate in memory on one side and are apart on the other, e.g. 3 for RGB, or 9 for
    /// the places of a kernel of 3 x 3. The tile then has that number of registers, and a table instead of a network.
    /// 0: nothing alternates.
    int interleave = 0;
    bool interleaves_source = false;
    /// The bit whose two bytes exchange halves; -1: none. It counts registers on at least one side.
    int half_bytes = -1;

    /// True if the tile has vectors; otherwise its elements are moved one by one.
    constexpr bool has_vectors() const { return lane_bits > 0; }
    constexpr int lanes() const { return 1 << lane_bits; }
    constexpr int registers() const { return 1 << register_bits; }
    /// Returns the number of lane bits of a segment on one side.
    constexpr int segment_bits(side of) const {
        return of == side::source ? lane_bits - src_upper_bits : dst_lanes.size();
    }
    /// Returns the number of segments of a register on one side.
    constexpr int segments(side of) const { return 1 << (lane_bits - segment_bits(of)); }
    constexpr bool operator==(const tile_pattern&) const = default;
};

/// The lanes of a segment on one side that count along a bounded axis: lane bits [first, first + bits), or none.
struct lane_span {
    int first = 0, bits = 0;
};

constexpr lane_span lanes_along(const tile_pattern& pattern, int bound, side of) {
    lane_span span;
    for (int lane = 0; lane < pattern.segment_bits(of); ++lane) {
        if (pattern.bounds[of == side::source ? lane : pattern.dst_lanes[lane]] != bound) continue;
        if (span.bits++ == 0) span.first = lane;
    }
    return span;
}

// Loops whose steps differ, because the blocks of the two sides do not divide each other.
//
// Example: aBcd32b -> aBcd48b, 96 channels of 4 x 4: 6 steps of 16 channels, by 16 elements on both sides. Two steps
// end a block of 32 in the source: the next block is 480 further, as one has 32 * 16 = 512 elements. Three steps end a
// block of 48 in the destination, where the next is 48 * 16 - 48 = 720 further.

/// An additional offset on both sides at every period-th step along a node, where a block ends that neither divides the
/// blocks of the other side nor is divided by them. Blocks of 32 and of 48 are steps of 16, of which every second and
/// every third are uneven.
struct uneven_step {
    int axis = 0;
    dim_t period = 0;
    dim_t src = 0, dst = 0;
    constexpr bool operator==(const uneven_step&) const = default;
};

using uneven_step_list = inline_list<uneven_step, 8>;

/// The elements that uneven steps add to the offsets of both sides.
struct uneven_offsets {
    dim_t src = 0, dst = 0;
};

/// Returns what uneven steps along an axis add to its first `steps` steps together.
///
/// Example: of 32 more at every second step: 64 to the first five
[[gnu::always_inline]] constexpr uneven_offsets uneven_within(const uneven_step_list& all, int axis, dim_t steps) {
    uneven_offsets out;
    for (const uneven_step& uneven : all) {
        if (uneven.axis != axis) continue;
        out.src += steps / uneven.period * uneven.src;
        out.dst += steps / uneven.period * uneven.dst;
    }
    return out;
}

/// Returns what uneven steps along an axis add after step i alone: uneven_within(i + 1) - uneven_within(i).
[[gnu::always_inline]] constexpr uneven_offsets uneven_behind(const uneven_step_list& all, int axis, dim_t i) {
    uneven_offsets out;
    for (const uneven_step& uneven : all) {
        if (uneven.axis != axis || (i + 1) % uneven.period != 0) continue;
        out.src += uneven.src;
        out.dst += uneven.dst;
    }
    return out;
}

// Default values in the lists below are zero unless set otherwise, so a plan can be made by clearing memory.

/// One bit of the index inside a tile: the offsets that it adds on both sides, in elements.
struct tile_bit {
    dim_t src = 0, dst = 0;
    dim_t index_step = 0;  ///< what the bit adds to the index along its axis
    int axis = 0;          ///< axis of the refinement: an axis of the tensor if coalesce has kept it
    constexpr bool operator==(const tile_bit&) const = default;
};

/// One loop around the tile.
struct plan_loop {
    dim_t extent = 0;
    dim_t src = 0, dst = 0;
    int bound = -1;  ///< index into the plan's bounds of the axis that the loop runs along; -1: none
    dim_t index_step = 0;
    /// How far the last step moves back so that its tile ends with the axis: in indices, and in elements of both sides.
    /// Elements that the last two tiles share are moved twice.
    dim_t overlap = 0, overlap_src = 0, overlap_dst = 0;
    bool is_uneven = false;    ///< true if its steps differ: see the plan's uneven_steps
    int axis = 0;              ///< axis of the refinement, as in tile_bit
    bool may_overlap = false;  ///< true if the last step may move back
    constexpr bool operator==(const plan_loop&) const = default;
};

/// An axis whose end a tile can pass.
struct plan_bound {
    dim_t valid = 0, stored = 0;
    dim_t reach = 0;  ///< 1 + the largest index inside a tile

    constexpr bool has_padding() const { return valid < stored; }
    constexpr bool operator==(const plan_bound&) const = default;
};
inline constexpr int max_bounds = 6;
inline constexpr int max_loops = 16;

/// A plan to move a tensor: loops, from outermost to innermost, around a tile of 2^k elements.
struct reorder_plan {
    dim_t src_offset = 0, dst_offset = 0;  ///< elements
    dim_t elements = 0;                    ///< number of stored elements, padding included
    dim_t src_end = 0;  ///< offset one past the last element of the source; memory before it may be read
    element_sizes sizes;
    dim_t prefetch = 0;  ///< distance at which a streaming kernel prefetches its source, in elements; 0: no prefetch
    /// How far ahead a kernel for run-time layouts prefetches the lines that it writes, in elements; 0: not.
    dim_t destination_prefetch = 0;
    dim_t sparse_bytes = 0;        ///< bytes of a sparse source that a tile spans, prefetched by any kernel; 0: none
    bool source_is_apart = false;  ///< true if the registers of the tile are not one run of the source
    tile_pattern pattern;
    inline_list<tile_bit, max_tile_bits> bits;    ///< in the order in which the pattern numbers them
    tile_bit interleaved{0, 0, 0, -1};            ///< a step of the node that alternates in memory on one side
    inline_list<plan_loop, max_loops + 2> loops;  ///< room for the two loops that `run_time_form` may add
    uneven_step_list uneven_steps;                ///< steps of the uneven loops, by axis
    int staged_from = -1;  ///< first of the loops that fill a staging buffer, see staging.hpp; -1: no staging
    /// The elements of the one run of the destination that they write, which is stored past the caches. 0: they write
    /// rows.
    dim_t staged_run = 0;
    inline_list<plan_bound, max_bounds> bounds;

    /// Returns the alignment of the runs of contiguous_bytes() that a tile writes: each begins at a multiple of it from
    /// the start of the destination, in elements.
    constexpr dim_t line_alignment() const {
        const dim_t run = contiguous_bytes() / sizes.dst;
        dim_t steps = dst_offset;  // the lowest bit set in any step
        // If an axis fills a run only in part, the next run may begin inside it: at 12 of 16, for example.
        for (const tile_bit& bit : bits)
            if (bit.dst >= run || (bit.dst & (bit.dst - 1)) != 0) steps |= bit.dst;
        if (pattern.interleave != 0 && pattern.interleaves_source) steps |= interleaved.dst;
        for (const plan_loop& loop : loops) {
            steps |= loop.dst | loop.overlap_dst;
        }
        for (const uneven_step& uneven : uneven_steps) steps |= uneven.dst;
        return steps == 0 ? dim_t{1} << 40 : steps & -steps;
    }
    /// Returns the number of bytes that a tile writes without a gap.
    constexpr dim_t contiguous_bytes() const { return run_of_tile(side::destination) * sizes.dst; }
    /// True if a tile writes whole cache lines when the destination begins at one. A line that is written in parts by
    /// non-temporal stores would go to memory in parts.
    constexpr bool writes_whole_lines() const {
        return contiguous_bytes() >= cache_line_bytes && line_alignment() * sizes.dst % cache_line_bytes == 0;
    }
    /// True if tiles that pass the end of a bound write cache lines in part: some of its steps are shorter than a line.
    constexpr bool ends_within_lines(int bound) const {
        for (int b = 0; b < bits.size(); ++b)
            if (pattern.bounds[b] == bound && bits[b].dst * sizes.dst < cache_line_bytes) return true;
        return false;
    }
    /// True if a staging buffer makes longer runs of those that tiles write, which are shorter than a cache line.
    constexpr bool stages_short_runs() const {
        return staged_from >= 0 && staged_run == 0 && (pattern.half_bytes >= 0 || bytes_moved() >= streaming_bytes) &&
               contiguous_bytes() < cache_line_bytes;
    }
    /// True if it makes whole cache lines of them.
    constexpr bool stages_whole_lines() const {
        if (!stages_short_runs()) return false;
        const dim_t run = run_of_tile(side::destination);
        dim_t row = run, steps = dst_offset;
        for (const tile_bit& bit : bits)
            if (bit.dst >= run) steps |= bit.dst;
        for (int k = 0; k < loops.size(); ++k) {
            if (k >= staged_from && loops[k].dst == row) row *= loops[k].extent;
            else steps |= loops[k].dst | loops[k].overlap_dst;
        }
        return (steps | row) * sizes.dst % cache_line_bytes == 0;
    }
    /// Returns the number of bytes that a tile reads without a gap.
    constexpr dim_t source_run_bytes() const { return run_of_tile(side::source) * sizes.src; }
    /// Returns the number of elements of a tile that are contiguous on one side.
    constexpr dim_t run_of_tile(side of) const {
        dim_t run = dim_t{1} << pattern.segment_bits(of);
        for (bool longer = true; longer;) {
            longer = false;
            for (const tile_bit& bit : bits)
                if ((of == side::source ? bit.src : bit.dst) == run) longer = true;
            if (longer) run *= 2;
        }
        return run;
    }
    /// Returns the number of bytes read and written.
    constexpr dim_t bytes_moved() const { return elements * (sizes.src + sizes.dst); }

    constexpr bool operator==(const reorder_plan&) const = default;
};

/// True if whole tiles of the plan, or its staging buffer, can use non-temporal stores: each must write whole cache
/// lines if the destination begins at one, or a run that has some.
constexpr bool can_stream(const reorder_plan& plan) {
    return plan.writes_whole_lines() || plan.staged_run > 0 || plan.stages_whole_lines();
}

/// True if the plan's own order uses non-temporal stores.
constexpr bool may_stream(const reorder_plan& plan) {
    return plan.bytes_moved() >= streaming_bytes && can_stream(plan);
}

}  // namespace plait::engine
