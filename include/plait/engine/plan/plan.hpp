#pragma once
// The plan of a reorder, as data: the loop nest, the tile inside it, and the bits of the tile. make_plan.hpp makes one;
// nothing in either knows an instruction; engine/simd/ turns a plan into code.

#include <plait/engine/plan/tile_pattern.hpp>
#include <plait/engine/plan/uneven_steps.hpp>

#include <cstddef>

namespace plait::engine {

// All that the lists below hold is zero unless it is set: so a plan is made by clearing memory.

/// One bit of the index inside a tile: what it adds on both sides, in elements.
struct tile_bit {
    dim_t src = 0, dst = 0;
    dim_t index_step = 0;  ///< what it adds to the index along its axis
    int axis = 0;          ///< of the refinement: one of the tensor, where coalesce has kept it
    constexpr bool operator==(const tile_bit&) const = default;
};

/// One loop around the tile.
struct plan_loop {
    dim_t extent = 0;
    dim_t src = 0, dst = 0;
    int bound = -1;  ///< which of the plan's it goes along; -1: none
    dim_t index_step = 0;
    /// How far the last step goes back so that its tile ends with the axis: indices, and elements of both sides. What
    /// the last two tiles share is moved twice.
    dim_t overlap = 0, overlap_src = 0, overlap_dst = 0;
    bool is_uneven = false;    ///< its steps are not all alike: see the plan's uneven_steps
    int axis = 0;              ///< as that of a bit
    bool may_overlap = false;  ///< whether the last step may go back
    constexpr bool operator==(const plan_loop&) const = default;
};

/// An axis that a tile can pass the end of.
struct plan_bound {
    dim_t valid = 0, stored = 0;
    dim_t reach = 0;  ///< 1 + the largest index inside a tile
    constexpr bool operator==(const plan_bound&) const = default;
};
inline constexpr int max_bounds = 6;
inline constexpr int max_loops = 16;

/// How a tensor is moved: loops from outermost to innermost around a tile of 2^k elements.
struct reorder_plan {
    dim_t src_offset = 0, dst_offset = 0;  ///< elements
    dim_t elements = 0;                    ///< stored ones, padding included
    dim_t src_end = 0;  ///< behind the last element of the source; what lies in front of it may be read
    element_sizes sizes;
    dim_t prefetch = 0;  ///< how far ahead a streaming kernel asks for its source, in elements; 0: it does not
    bool source_is_apart = false;  ///< the tile's registers are not one run of the source
    tile_pattern pattern;
    inline_list<tile_bit, max_tile_bits> bits;    ///< as the pattern numbers them
    tile_bit interleaved{0, 0, 0, -1};            ///< a step of what alternates in memory on one side
    inline_list<plan_loop, max_loops + 2> loops;  ///< two more than a plan is made with, see run_time_form.hpp
    uneven_step_list uneven_steps;                ///< of the loops that have some, by axis
    int staged_from = -1;  ///< the loops from this one on fill a staging buffer, see staging.hpp; -1: there is none
    inline_list<plan_bound, max_bounds> bounds;

    /// Where a tile's runs of contiguous_bytes() begin: at multiples of this from the start of the destination, in
    /// elements.
    constexpr dim_t line_alignment() const {
        const dim_t run = contiguous_bytes() / sizes.dst;
        dim_t steps = dst_offset;  // the lowest bit set in any step
        // Behind a run that an axis fills only in part, the next may begin inside of it: at 12 of 16, say.
        for (const tile_bit& bit : bits)
            if (bit.dst >= run || (bit.dst & (bit.dst - 1)) != 0) steps |= bit.dst;
        if (pattern.interleave != 0 && pattern.interleaves_source) steps |= interleaved.dst;
        for (const plan_loop& loop : loops) {
            steps |= loop.dst | loop.overlap_dst;
        }
        for (const uneven_step& uneven : uneven_steps) steps |= uneven.dst;
        return steps == 0 ? dim_t{1} << 40 : steps & -steps;
    }
    /// How many bytes a tile writes without a gap, wherever it does.
    constexpr dim_t contiguous_bytes() const { return run_of_tile(side::destination) * sizes.dst; }
    /// Whether a tile writes whole cache lines, where the destination begins at one. A line written in parts past the
    /// cache would go to memory in parts.
    constexpr bool writes_whole_lines() const {
        return contiguous_bytes() >= cache_line_bytes && line_alignment() * sizes.dst % cache_line_bytes == 0;
    }
    /// How many bytes a tile reads without a gap.
    constexpr dim_t source_run_bytes() const { return run_of_tile(side::source) * sizes.src; }
    /// How many elements of a tile are without a gap on one side.
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
    /// Bytes read and written.
    constexpr dim_t bytes_moved() const { return elements * (sizes.src + sizes.dst); }

    constexpr bool operator==(const reorder_plan&) const = default;
};

/// Whether the whole tiles of the plan may be stored past the cache: each writes whole cache lines, if the destination
/// begins at one.
constexpr bool may_stream(const reorder_plan& plan) {
    return plan.bytes_moved() >= streaming_bytes && plan.writes_whole_lines();
}

}  // namespace plait::engine
