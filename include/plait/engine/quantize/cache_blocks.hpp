#pragma once
// The cache blocks of a tensor: on which side they are dense, in which order they are converted, the copies that move
// them, and what is stored past the cache or prefetched. A plan of values consists of cache blocks.

#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/plan/plan.hpp>
#include <plait/engine/plan/zeroed_padding.hpp>
#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/quantize/value_conversion.hpp>

#include <cstddef>
#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

// Copies of a cache block between its dense buffer and the other side, with a kernel for plans known only at run time.

/// A plan for copying one cache block, and its kernel. The place of the cache block and its bounds are set before each
/// run.
struct planned_block_copy {
    reorder_plan plan;
    const run_time_kernel* kernel = nullptr;  ///< null if there is no kernel
    run_time_offsets offsets;                 ///< offsets of its tiles
    bool streams = false;                     ///< uses non-temporal stores if the cache block begins at a cache line
    /// The functions of a constant plan, instead of a kernel. `constant_stream` uses non-temporal stores.
    using constant_copy = void(const reorder_plan& plan, const std::byte* src, std::byte* dst) noexcept;
    constant_copy *constant = nullptr, *constant_stream = nullptr;

    /// Copies a cache block. `found` has the edges of other cache blocks. Nothing is stored past the caches unless
    /// `past_caches`.
    void operator()(const std::byte* src, std::byte* dst, found_edges& found, bool past_caches = true) const noexcept {
        const bool stream = streams && past_caches && bytes_behind_line(dst) == 0;
        if (constant != nullptr) return (stream ? constant_stream : constant)(plan, src, dst);
        run_kernel(plan, *kernel, offsets, stream, src, dst, found);
    }
};

// The following types are kinds of block copies. `find` plans one, and returns true if there is a kernel for it.

/// Block copies by tiles of vectors, planned in place, with every kernel of an instruction set.
struct tile_block_copies {
    static constexpr bool has_tiles = true;
    run_time_kernels kernels;
    isa instructions = kernels.instructions;

    bool find(planned_block_copy& out, const refinement& cache_block, int bytes) const {
        plan_tiles(out.plan, out.kernel, out.offsets, cache_block, element_sizes(bytes), kernels);
        return out.kernel != nullptr;
    }
};

/// Block copies with a constant plan. `find` makes the plan only: the type that holds the plan sets the functions,
/// which are compiled for this plan.
struct constant_block_copies {
    static constexpr bool has_tiles = true;
    isa instructions;

    constexpr bool find(planned_block_copy& out, const refinement& cache_block, int bytes) const {
        const std::optional<reorder_plan> plan = make_plan(cache_block, element_sizes(bytes), instructions);
        if (plan) out.plan = *plan;
        return plan.has_value();
    }
};

/// Block copies that move one element after the other. They are cheap to compile, and serve tests of everything else.
struct element_block_copies {
    static constexpr bool has_tiles = false;

    static bool find(planned_block_copy& out, const refinement& cache_block, int bytes) {
        const element_sizes sizes(bytes);
        if (!plan_around(out.plan, cache_block, choose_one_element(cache_block, sizes, isa::portable), sizes))
            return false;
        make_run_time_form(out.plan);
        out.kernel = element_kernel(bytes);
        out.offsets = out.kernel->offsets_for(out.plan);
        return true;
    }
};

// Prefetches of the memory of the next cache block. Where a cache block reads or writes runs that are far apart, the
// CPU itself prefetches little, and each run waits for memory.
//
// Example: s8 abcd -> acbd of 64x50x16x128, a scale for each a: a cache block reads 50 runs of 512 bytes, 2048 bytes
// apart. While it is converted, the 50 runs beside them are prefetched: 0.8 ms instead of 1.8 (Zen 4).

/// The memory of a cache block on one side: runs of bytes, at the steps of some loops.
class lines_ahead {
public:
    constexpr lines_ahead() = default;
    /// Nothing is prefetched if a cache block is one run, or a few long ones.
    ///
    /// Pre:     the nodes have their steps in a cache block
    constexpr lines_ahead(const cache_block_shape& shape, bool source, dim_t bytes) : run_(bytes) {
        bool is_taken[max_block_nodes]{};
        for (int next = 0; next >= 0;) {
            next = -1;  // the node of the smallest step
            for (int k = 0; k < shape.inner; ++k) {
                const dim_t step = step_size(shape.stride(shape.nodes[k], source));
                if (step == 0 || is_taken[k]) continue;
                if (next < 0 || step < step_size(shape.stride(shape.nodes[next], source))) next = k;
            }
            if (next >= 0)
                is_taken[next] = take(shape.nodes[next].block_steps, shape.stride(shape.nodes[next], source) * bytes);
        }
        if (loops_.empty() || run_ > most_run) run_ = 0;
    }
    constexpr bool is_empty() const { return run_ == 0; }
    /// Returns the number of bytes that are prefetched for a cache block.
    constexpr dim_t bytes() const {
        dim_t product = run_;
        for (const loop& l : loops_) product *= l.count;
        return product;
    }

    /// Prefetches what a cache block that begins at `at` reads, or writes.
    template <bool Writes>
    void ask(const std::byte* at) const noexcept {
        if (run_ != 0) ask<Writes>(loops_.size() - 1, at);
    }

private:
    static constexpr dim_t most_run = 2048;  ///< the CPU itself prefetches the lines of longer runs

    struct loop {
        dim_t count = 0, step = 0;
    };
    inline_list<loop, 3> loops_;  ///< the innermost first
    dim_t run_ = 0;               ///< bytes without a gap of a cache line; 0: nothing is prefetched

    /// Adds the steps of a node. If there are too many loops, nothing will be prefetched.
    constexpr bool take(dim_t count, dim_t step) {
        if (step > 0 && (step <= run_ || step <= cache_line_bytes)) run_ += (count - 1) * step;
        else if (loops_.full()) run_ = most_run + 1;
        else loops_.push_back({count, step});
        return true;
    }
    template <bool Writes>
    void ask(int outermost, const std::byte* at) const noexcept {
        if (outermost >= 0) {
            for (dim_t i = 0; i < loops_[outermost].count; ++i)
                ask<Writes>(outermost - 1, at + i * loops_[outermost].step);
            return;
        }
        for (dim_t line = 0; line < run_; line += cache_line_bytes) __builtin_prefetch(at + line, Writes ? 1 : 0, 2);
    }
};

/// The prefetches of a cache block for the next one, on both sides.
struct prefetched_lines {
    lines_ahead src, dst;
    dim_t src_bytes = 0, dst_bytes = 0;  ///< of an element

    /// Prefetches the cache block that comes next in the loops, the first fastest. The one at `index` begins `from` and
    /// `to` elements after `in` and `out`.
    void ask_for_next(const inline_list<int, max_block_nodes>& loops, const cache_block_node* nodes, const dim_t* index,
                      const std::byte* in, dim_t from, const std::byte* out, dim_t to) const noexcept {
        if (src.is_empty() && dst.is_empty()) return;
        for (const int k : loops) {
            const cache_block_node& n = nodes[k];
            const bool goes_on = index[k] + n.block_steps < n.extent;
            const dim_t steps = goes_on ? n.block_steps : -index[k];
            from += steps * n.src;
            to += steps * n.dst;
            if (!goes_on) continue;
            src.ask<false>(in + from * src_bytes);
            return dst.ask<true>(out + to * dst_bytes);
        }
    }
};

/// The axis of the shape for each bound of a block copy; -1 if the bound belongs to the cache block itself.
using block_copy_axes = inline_list<int, max_bounds>;

/// Rows shorter than this, in bytes, are stored as usual, because too much of them would be parts of lines.
inline constexpr dim_t least_streamed_row = 256;

/// How a tensor is cut into cache blocks, and what moves them.
struct cache_block_plan {
    cache_block_shape shape;
    cache_block_row whole, part;      ///< rows of cache blocks that pass no end of an axis, and of those that do
    dim_t reach[max_block_nodes]{};   ///< shape.reach of each axis
    bool bounded[max_block_nodes]{};  ///< shape.is_bounded of each axis
    inline_list<int, max_block_nodes> order;  ///< the nodes of the loops around the cache blocks, innermost first
    planned_block_copy block_copy;  ///< between the dense buffer and the other side; none if the side is `both`
    block_copy_axes axes;
    bool streams = false;       ///< true if sufficiently long rows are stored past the cache
    bool moves_differ = false;  ///< true if the plan of the block copy differs between cache blocks
    zeroed_run zeroed;          ///< zeroed before elements are written there
    prefetched_lines ahead;

    /// True if calls try stores past the cache, but the plan's own are into it.
    constexpr bool tries_streams(dim_t dst_bytes) const {
        return shape.side == cache_block_side::both && whole.length * dst_bytes >= least_streamed_row;
    }
    /// True if the plan's own stores are past the cache, if any are.
    constexpr bool streams_first() const { return shape.side != cache_block_side::both; }
    /// True if the places of a cache block are zeroed a moment before its elements are written, not all at the
    /// beginning.
    constexpr bool zeroes_on_the_way() const { return zeroed.bytes >= 3 * strip_bytes; }
};

/// A plan before anything is planned. To copy it takes a quarter of the time of setting each of its lists.
inline constexpr cache_block_plan no_cache_blocks{};

/// Returns the refinement of the copy of one cache block, in which the buffer is the dense side. An axis on which cache
/// blocks end is bounded for every tile, because its bound is set for each cache block.
constexpr refinement refine_cache_block(const cache_block_shape& shape) {
    refinement r;
    for (int a = 0; a < shape.bounds.size(); ++a) {
        const dim_t last = shape.reach(a) - 1;
        r.bounds.push_back({last, last});
    }
    dim_t place = 1;
    for (int k = 0; k < shape.inner; ++k) {
        const cache_block_node& n = shape.nodes[k];
        const bool from_buffer = shape.side == cache_block_side::source;
        reorder_node node{n.axis, n.block_steps, n.index_step, from_buffer ? place : n.src, from_buffer ? n.dst : place,
                          false};
        place *= n.block_steps;
        if (!shape.is_bounded(n.axis)) {
            node.axis = r.bounds.size();
            node.index_step = 1;
            r.bounds.push_back({n.block_steps, n.block_steps});
        }
        r.nodes.push_back(node);
    }
    r.src_end = shape.side == cache_block_side::source ? place : shape.src_end;
    return r;
}

constexpr block_copy_axes find_block_copy_axes(const reorder_plan& moving, int axes) {
    block_copy_axes out;
    for (int bound = 0; bound < moving.bounds.size(); ++bound) {
        int axis = -1;
        for (int b = 0; b < moving.bits.size(); ++b)
            if (moving.pattern.bounds[b] == bound) axis = moving.bits[b].axis;
        for (const plan_loop& loop : moving.loops)
            if (loop.bound == bound) axis = loop.axis;
        out.push_back(axis < axes ? axis : -1);
    }
    return out;
}

/// Returns how many indices along a bound the lanes of a segment of the destination count, if they are not its highest
/// lanes: a segment that ends within them would be stored with gaps. Otherwise 1.
///
/// Example: segments of 32 a and 2 b, b fastest: 2. If one index b is missing, every second lane is
constexpr dim_t indices_between_lanes(const reorder_plan& moving, int bound) {
    const tile_pattern& pattern = moving.pattern;
    const lane_span span = lanes_along(pattern, bound, side::destination);
    const int end = span.first + span.bits;
    if (span.bits == 0 || end == pattern.segment_bits(side::destination)) return 1;
    return 2 * moving.bits[pattern.dst_lanes[end - 1]].index_step;
}

/// Sets what differs between cache blocks: the source offset, and what is left of the bounded axes. The offset is set
/// in the plan instead of the pointer, because the end of the source is counted from offset 0. What is missing in the
/// buffer may be zero: a kernel that reads its plan, and cannot store single bytes by a mask, stores zeros between
/// lanes, so that segments are whole.
constexpr void aim_block_copy(const cache_block_plan& blocks, reorder_plan& moving, dim_t src, const dim_t* valid,
                              const dim_t* stored) {
    moving.src_offset = src;
    const bool to_buffer = blocks.shape.side != cache_block_side::source;
    const run_time_kernel* const kernel = blocks.block_copy.kernel;
    const bool may_store_zeros = to_buffer && kernel != nullptr && kernel->network_of != isa::avx512;
    for (int bound = 0; bound < blocks.axes.size(); ++bound) {
        const int a = blocks.axes[bound];
        if (a < 0) continue;
        const dim_t remaining = smaller_of(larger_of(to_buffer ? valid[a] : stored[a], 0), blocks.reach[a]);
        dim_t kept = remaining;
        if (may_store_zeros)
            if (const dim_t together = indices_between_lanes(moving, bound); together > 1)
                kept = smaller_of(divide_up(remaining, together) * together, blocks.reach[a]);
        moving.bounds[bound].valid = remaining;
        moving.bounds[bound].stored = kept;
    }
}

/// Determines whether the block copy differs between cache blocks. If the only cache block is the whole tensor, sets
/// its bounds here, once.
constexpr void fix_block_copy(cache_block_plan& blocks) {
    blocks.axes = find_block_copy_axes(blocks.block_copy.plan, blocks.shape.bounds.size());
    const bool from_source = blocks.shape.side == cache_block_side::destination;
    blocks.moves_differ = from_source;
    for (const int a : blocks.axes) blocks.moves_differ = blocks.moves_differ || a >= 0;
    if (!blocks.order.empty()) return;
    blocks.moves_differ = false;
    dim_t valid[max_block_nodes]{}, stored[max_block_nodes]{};
    for (int a = 0; a < blocks.shape.bounds.size(); ++a) {
        valid[a] = blocks.shape.bounds[a].valid;
        stored[a] = blocks.shape.bounds[a].stored;
    }
    aim_block_copy(blocks, blocks.block_copy.plan, from_source ? blocks.shape.src_offset : 0, valid, stored);
}

/// Returns the side on which cache blocks are dense.
///
/// - `both` (no buffer) if runs of half a register are dense on both sides.
/// - The side whose elements are packed; `both`, perhaps with rows of one element, if they are on both sides.
/// - The destination if beta is not 0, because its old contents are read.
/// - Else the side with the larger elements, so that the smaller ones are moved. The other side is chosen if this one
///   has only short rows and the other has longer ones. Rows should be longer if they have values of their own, because
///   these have to be prepared.
/// - The other side instead if only that has rows whose values need not be gathered, because gathering a value takes
///   longer than moving an element; if larger elements would be moved, only if nearly each value is gathered.
///   s8 ba -> ab of 525x32, a scale for each index of both: 3.9 us instead of 9.4 (Zen 5)
constexpr cache_block_side choose_side(const cache_block_shape& shape, const value_conversion& conversion) {
    constexpr dim_t enough_for_both = 8;
    const dim_t enough = conversion.has_arrays() ? 256 : 64, short_row = enough / 4;
    dim_t extents = 1;
    for (const cache_block_node& n : shape.nodes)
        if (n.extent > 0 && extents < enough) extents *= n.extent;
    const dim_t both = dense_run(shape, cache_block_side::both, enough);
    const dim_t source = dense_run(shape, cache_block_side::source, enough);
    const dim_t destination = dense_run(shape, cache_block_side::destination, enough);
    if (both >= enough_for_both || both == extents) return cache_block_side::both;
    // Only rows read and write packed elements.
    const bool reads_old = conversion.attributes.beta != 0;
    if (conversion.reads_packed())
        return conversion.writes_packed() || reads_old ? cache_block_side::both : cache_block_side::source;
    if (conversion.writes_packed()) return cache_block_side::destination;
    if (reads_old) return cache_block_side::destination;
    const bool at_source = conversion.dst_bytes <= conversion.src_bytes;
    const dim_t here = at_source ? source : destination, there = at_source ? destination : source;
    if (conversion.has_arrays()) {
        const cache_block_side chosen = at_source ? cache_block_side::source : cache_block_side::destination,
                               other = at_source ? cache_block_side::destination : cache_block_side::source;
        const dim_t few = conversion.src_bytes == conversion.dst_bytes ? short_row : enough_for_both;
        if (run_of_ready_values(shape, chosen, few) < few && run_of_ready_values(shape, other, short_row) == short_row)
            return other;
    }
    return (here < short_row && here * 4 <= there) != at_source ? cache_block_side::source
                                                                : cache_block_side::destination;
}

inline constexpr dim_t cache_block_bytes = 24576;  // of both sides of a move: three quarters of L1
inline constexpr dim_t most_in_cache_block = 8192;
inline constexpr dim_t buffer_bytes = 16384;

/// Sets the order of the loops around cache blocks. The innermost loop is the one whose next cache block is nearest in
/// memory, on either side; or in the destination, if that is zeroed on the way.
constexpr void order_cache_blocks(cache_block_plan& blocks, int src_bytes, int dst_bytes) {
    const auto& nodes = blocks.shape.nodes;
    const auto step = [&](int k) {
        const dim_t src = step_size(nodes[k].src) * nodes[k].block_steps * src_bytes,
                    dst = step_size(nodes[k].dst) * nodes[k].block_steps * dst_bytes;
        return src < dst && !blocks.zeroes_on_the_way() ? src : dst;
    };
    for (int k = 0; k < nodes.size(); ++k) {
        if (nodes[k].extent <= nodes[k].block_steps) continue;
        blocks.order.push_back(k);
        for (int i = blocks.order.size() - 1; i > 0 && step(blocks.order[i]) < step(blocks.order[i - 1]); --i) {
            const int moved = blocks.order[i];
            blocks.order[i] = blocks.order[i - 1];
            blocks.order[i - 1] = moved;
        }
    }
}

/// Cuts the nodes of a shape into cache blocks that are dense on one side.
///
/// Pre:     every node has block_steps 1, and blocks.order is empty
constexpr void cut_cache_blocks(const value_conversion& conversion, cache_block_plan& blocks, cache_block_side side) {
    cache_block_shape& shape = blocks.shape;
    shape.side = side;
    const int buffered = shape.side == cache_block_side::source ? conversion.dst_bytes : conversion.src_bytes;
    dim_t most = cache_block_bytes / (2 * buffered);
    if (most > most_in_cache_block) most = most_in_cache_block;
    if (shape.side == cache_block_side::both) most *= 4;
    // A single run without a buffer, operands or ends is one cache block, or a few that threads can share.
    bool needs_cache_blocks =
        shape.side != cache_block_side::both || conversion.plain == nullptr || shape.nodes.size() > 1;
    for (int a = 0; a < shape.bounds.size(); ++a) needs_cache_blocks = needs_cache_blocks || shape.is_bounded(a);
    choose_cache_block(shape, conversion.src_bytes, conversion.dst_bytes, needs_cache_blocks ? most : dim_t{1} << 18);
    for (int a = 0; a < shape.bounds.size(); ++a) {
        blocks.reach[a] = shape.reach(a);
        blocks.bounded[a] = shape.is_bounded(a);
    }
    blocks.whole = find_row(shape, false);
    blocks.part = find_row(shape, true);
    order_cache_blocks(blocks, conversion.src_bytes, conversion.dst_bytes);
}

/// Cuts a tensor again, into cache blocks that are dense on another side.
///
/// Pre:     cut_cache_blocks was called
constexpr void cut_cache_blocks_again(const value_conversion& conversion, cache_block_plan& blocks,
                                      cache_block_side side) {
    for (cache_block_node& n : blocks.shape.nodes) n.block_steps = 1;
    blocks.order = {};
    blocks.block_copy = {};
    cut_cache_blocks(conversion, blocks, side);
}

/// Decides if rows, or cache blocks moved out of the buffer, are stored past the cache. This pays if the destination is
/// so large that lines would be read only to be overwritten. If a buffer is not needed, rows follow each other, and the
/// CPU prefetches lines that are written: calls try both, beginning with stores into the cache. s8 -> f32 of 256 MB
/// took 42 ms past the cache and 29 into it (Cascade Lake, one thread); f32 -> u8 BAcd16a16b -> ABcd32a32b of
/// 32x40x67x64 took 1.6 ms and 2.1 (Zen 4).
constexpr void choose_streams(const value_conversion& conversion, cache_block_plan& blocks) {
    if (conversion.attributes.beta != 0 || !blocks.shape.is_large || conversion.writes_packed()) return;
    blocks.streams = blocks.shape.side == cache_block_side::destination || blocks.tries_streams(conversion.dst_bytes);
    blocks.block_copy.streams =
        blocks.shape.side == cache_block_side::source && blocks.block_copy.plan.writes_whole_lines();
}

/// Finds the block copy of the cache blocks. Returns false if there is none.
template <class BlockCopies>
constexpr bool find_block_copy(const value_conversion& conversion, cache_block_plan& blocks,
                               const BlockCopies& copies) {
    const int bytes = blocks.shape.side == cache_block_side::source ? conversion.dst_bytes : conversion.src_bytes;
    refinement cache_block = refine_cache_block(blocks.shape);
    if constexpr (BlockCopies::has_tiles) add_source_gap(cache_block, bytes, copies.instructions);
    return copies.find(blocks.block_copy, cache_block, bytes);
}

/// Chooses the block copy of the cache blocks, and perhaps the other side for them. If the chosen side has no tiles for
/// its elements and the other side has, the other side is taken. If neither has tiles, single elements are moved.
/// Returns false if there is no block copy: seven axes end in a cache block, and a kernel checks max_bounds = 6.
template <class BlockCopies>
constexpr bool plan_block_copy(const value_conversion& conversion, cache_block_plan& blocks,
                               const BlockCopies& copies) {
    if (blocks.shape.side == cache_block_side::both) return true;
    constexpr dim_t least_row = 8;
    bool is_found = find_block_copy(conversion, blocks, copies);
    const auto has_tiles = [&] { return is_found && blocks.block_copy.plan.pattern.has_vectors(); };
    const bool may_change_side =
        conversion.attributes.beta == 0 && !conversion.reads_packed() && !conversion.writes_packed();
    if (BlockCopies::has_tiles && !has_tiles() && may_change_side) {
        const cache_block_side first = blocks.shape.side;
        const cache_block_side other =
            first == cache_block_side::source ? cache_block_side::destination : cache_block_side::source;
        if (dense_run(blocks.shape, other, least_row) == least_row) {
            cut_cache_blocks_again(conversion, blocks, other);
            is_found = find_block_copy(conversion, blocks, copies);
            if (!has_tiles()) {
                cut_cache_blocks_again(conversion, blocks, first);
                is_found = find_block_copy(conversion, blocks, copies);
            }
        }
    }
    if (!is_found) return false;
    if (blocks.zeroes_on_the_way()) blocks.block_copy.plan.destination_prefetch = 0;  // as in order_for_strips
    fix_block_copy(blocks);
    return true;
}

/// Decides what is prefetched of the next cache block: its source if much is moved, and its destination if no cache
/// holds that, it was not zeroed a moment before, and it is stored as usual. Measured (Zen 4): below 8 MB prefetching
/// the source costs up to 15 %; where a cache holds the destination, prefetching that takes up to twice as long.
constexpr void choose_prefetches(const value_conversion& conversion, cache_block_plan& blocks) {
    constexpr dim_t least_bytes = dim_t{8} << 20;
    blocks.ahead.src_bytes = conversion.src_bytes;
    blocks.ahead.dst_bytes = conversion.dst_bytes;
    dim_t bytes = conversion.src_bytes + conversion.dst_bytes;
    for (const cache_block_node& n : blocks.shape.nodes) bytes *= n.extent;
    if (bytes >= least_bytes) blocks.ahead.src = {blocks.shape, true, conversion.src_bytes};
    if (blocks.shape.is_large && blocks.zeroed.bytes == 0 && !blocks.streams && !blocks.block_copy.streams)
        blocks.ahead.dst = {blocks.shape, false, conversion.dst_bytes};
}

/// Chooses what is stored past the caches, and what is prefetched.
constexpr void choose_memory_access(const value_conversion& conversion, cache_block_plan& blocks) {
    choose_streams(conversion, blocks);
    choose_prefetches(conversion, blocks);
}

}  // namespace plait::engine
