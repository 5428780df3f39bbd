#pragma once
// Reorders that convert, scale or sum, for descriptors known only at run time: all pairs of types, and all attributes.

#include <plait/engine/quantize/converting_run.hpp>

#include <new>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A planned reorder. It is copyable, and running it does not change it, so threads may share it.
///
/// Attributes with one value for the tensor are kept by value. Arrays by index belong to the caller. They are read when
/// the reorder runs, and must exist then.
struct converting_reorder {
    converting_plan plan;
    bool has_cache_blocks = false;
    union {
        char none;
        cache_block_plan blocks;
        converting_layouts layouts;  ///< used if there are no cache blocks
    };

    converting_reorder() : none() {}

    /// Runs the reorder.
    ///
    /// Pre:     in and out point to offset 0 of tensors that match the descriptors; they do not overlap
    /// Post:    as reference_reorder(src, in, dst, out, attributes)
    /// Cost:    no allocation, no lock; at most 90 KB of stack. Element by element if the layouts have no common
    ///          refinement: with padding in front of the tensor, or more nodes or bounds than a cache block has
    template <class = void>  // a template, so that it is compiled only if it is used
    void operator()(const void* in, void* out) const noexcept {
        begin(out);
        if (plan.conversion.in_f64) run<double>(in, out);
        else run<float>(in, out);
        finish(out);
    }

    /// Returns the loops by which the reorder can be cut into parts. Without cache blocks there is one unit.
    values_loops loops() const noexcept { return has_cache_blocks ? find_loops(plan, blocks) : values_loops{}; }
    /// Runs one part. Parts may run concurrently and in any order, between begin and finish.
    ///
    /// Pre:     as for operator(); part is of loops()
    /// Post:    begin, all parts and finish together write what operator() writes
    template <class = void>
    void run_part(const void* in, void* out, const values_loops& loops, const converting_part& part) const noexcept {
        if (part.is_empty()) return;
        if (plan.conversion.in_f64) run<double>(in, out, loops, part);
        else run<float>(in, out, loops, part);
    }
    /// Runs the part of chunk number `chunk` of `chunks`.
    template <class = void>
    void run_chunk(const void* in, void* out, int chunk, int chunks) const noexcept {
        const values_loops all = loops();
        run_part(in, out, all, part_of(all, chunk, chunks));
    }
    /// Clears the sums that parts add to. Also zeros a destination that is largely padding.
    void begin(void* out) const noexcept {
        sums_in_place(plan, static_cast<std::byte*>(out)).begin();
        if (has_cache_blocks) blocks.zeroed.write(out);
    }
    /// Converts the sums to compensation.
    void finish(void* out) const noexcept { sums_in_place(plan, static_cast<std::byte*>(out)).finish(); }

    /// Returns the number of bytes read and written, without those of intermediate buffers.
    dim_t bytes_moved() const noexcept {
        dim_t elements = has_cache_blocks ? 1 : 0;
        for (int k = 0; has_cache_blocks && k < blocks.shape.nodes.size(); ++k)
            elements *= blocks.shape.nodes[k].extent;
        return elements * (plan.conversion.src_bytes + plan.conversion.dst_bytes);
    }

private:
    template <class Number, class... Part>
    void run(const void* in, void* out, const Part&... part) const noexcept {
        if (has_cache_blocks) converting_run<Number>(plan, blocks, in, out)(part...);
        else run_elements<Number>(plan, layouts.src, layouts.dst, in, out);
    }
};

/// Decides if rows, or cache blocks moved out of the buffer, are stored past the cache. This pays if the destination is
/// so large that lines would be read only to be overwritten. It does not pay if rows are adjacent in the destination,
/// because the CPU then prefetches them. s8 -> f32 of 256 MB took 42 ms past the cache and 29 into it; nhwc -> nchw in
/// addition, of 128 MB, took 23 and 42 (Cascade Lake, one thread).
constexpr void choose_streams(const value_conversion& conversion, cache_block_plan& blocks) {
    if (conversion.attributes.beta != 0 || !blocks.shape.is_large || conversion.writes_packed()) return;
    blocks.streams = blocks.shape.side == cache_block_side::destination;
    blocks.block_copy.streams =
        blocks.shape.side == cache_block_side::source && blocks.block_copy.plan.writes_whole_lines();
}

/// Finds the block copy of the cache blocks. Returns false if there is none.
template <class BlockCopies>
constexpr bool find_block_copy(const value_conversion& conversion, cache_block_plan& blocks,
                               const BlockCopies& copies) {
    const int bytes = blocks.shape.side == cache_block_side::source ? conversion.dst_bytes : conversion.src_bytes;
    return copies.find(blocks.block_copy, refine_cache_block(blocks.shape, bytes), bytes);
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

/// The functions of an instruction set that convert rows, with arithmetic in f32 and in f64.
struct conversions_of_rows {
    const row_conversions &in_f32, &in_f64;
};

/// Plans a reorder of values for the instruction set of `rows` and `copies`.
///
/// Pre:     check_reorder(src, dst, attributes).ok(), the CPU has the instruction set; src_span is
///          src.layout.element_span()
/// Post:    out(in, out) does what reference_reorder(src, in, dst, out, attributes) does
/// Cost:    one to two microseconds; no allocation
template <class BlockCopies>
void plan_values(converting_reorder& out, const descriptor& src, const descriptor& dst,
                 const reorder_attributes& attributes, dim_t src_span, const conversions_of_rows& rows,
                 const BlockCopies& copies) {
    converting_plan& plan = out.plan;
    plan.conversion = make_conversion(src.type, dst.type, attributes, dst.extra.scale_adjust);
    plan.conversion.use(plan.conversion.in_f64 ? rows.in_f64 : rows.in_f32);
    if (dst.extra.has_buffers()) {
        plan.s8s8 = {dst.s8s8_begin(), dst.s8s8_count(), dst.extra.s8s8_mask};
        plan.asymmetric_source = {dst.asymmetric_source_begin(), dst.asymmetric_source_count(),
                                  dst.extra.asymmetric_source_mask};
    }
    new (static_cast<void*>(&out.blocks)) cache_block_plan;  // std::construct_at would zero it first
    out.has_cache_blocks = plan_cache_blocks(plan, out.blocks, src.layout, dst.layout, src_span) &&
                           plan_block_copy(plan.conversion, out.blocks, copies);
    if (out.has_cache_blocks) choose_memory_access(plan.conversion, out.blocks);
    if (!out.has_cache_blocks) out.layouts = {src.layout, dst.layout};
}

/// Plans a reorder of values with the rows of an instruction set, which are compiled in the unit that calls this.
///
/// Pre:     as plan_values
template <isa Isa, class BlockCopies>
converting_reorder plan_values_with(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes,
                                    const BlockCopies& copies = {}) {
    using code = simd::code_of<Isa>;
    converting_reorder out;
    plan_values(out, src, dst, attributes, static_cast<dim_t>(src.layout.element_span()),
                {*code::template rows<float>, *code::template rows<double>}, copies);
    return out;
}

}  // namespace plait::engine
