#pragma once
// Reorders that convert, scale or sum, for descriptors known only at run time: all pairs of types, and all attributes.

#include <plait/engine/quantize/converting_run.hpp>

namespace plait::engine {

/// A reorder that is planned: copyable, and changed by nothing, so that threads may share it.
///
/// Attributes that are one value for the tensor are kept by value; arrays by index stay the caller's, are read when it
/// runs, and have to be there then.
struct converting_reorder {
    converting_plan plan;
    bool has_cache_blocks = false;
    union {
        cache_block_plan blocks;
        converting_layouts layouts;  ///< where there are no cache blocks
    };

    converting_reorder() : layouts() {}

    /// Pre:     in and out point to where offset 0 lies, and hold what the descriptors say; they do not overlap
    /// Post:    as reference_reorder(src, in, dst, out, attributes)
    /// Cost:    no allocation, no lock; at most 90 KB of stack. Element by element where two layouts have no common
    ///          refinement: padding in front of the tensor, or more nodes or bounds than a cache block has
    template <class = void>  // and so compiled where it is used alone
    void operator()(const void* in, void* out) const noexcept {
        begin(out);
        if (plan.conversion.in_f64) run<double>(in, out);
        else run<float>(in, out);
        finish(out);
    }

    /// How it may be cut into parts. Without cache blocks there is one unit.
    values_loops loops() const noexcept { return has_cache_blocks ? find_loops(plan, blocks) : values_loops{}; }
    /// One part. Parts may run at the same time, in any order, between begin and finish.
    ///
    /// Pre:     as the whole; part is of loops()
    /// Post:    begin, all parts and finish write what the whole does
    template <class = void>
    void run_part(const void* in, void* out, const values_loops& loops, const converting_part& part) const noexcept {
        if (part.is_empty()) return;
        if (plan.conversion.in_f64) run<double>(in, out, loops, part);
        else run<float>(in, out, loops, part);
    }
    /// The part of chunk number `chunk` of `chunks`.
    template <class = void>
    void run_chunk(const void* in, void* out, int chunk, int chunks) const noexcept {
        const values_loops all = loops();
        run_part(in, out, all, part_of(all, chunk, chunks));
    }
    /// Clears the sums that parts add to, and a destination that is largely padding.
    void begin(void* out) const noexcept {
        sums_in_place(plan, static_cast<std::byte*>(out)).begin();
        if (has_cache_blocks) blocks.zeroed.write(out);
    }
    /// Makes compensation of the sums.
    void finish(void* out) const noexcept { sums_in_place(plan, static_cast<std::byte*>(out)).finish(); }

    /// Bytes read and written, but for what lies between.
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

/// Whether rows go past the cache, or what is moved out of buffers: where so many bytes are written into lines that are
/// not read for what they held. Not where the CPU foresees them, as rows go on through
/// the destination: s8 -> f32 of 256 MB took 42 ms past the cache and 29 into it, and nhwc -> nchw besides, of 128 MB,
/// 23 and 42 (Cascade Lake, one thread).
constexpr void choose_streams(const value_conversion& conversion, cache_block_plan& blocks) {
    if (conversion.attributes.beta != 0 || !blocks.shape.is_large) return;
    blocks.streams = blocks.shape.side == cache_block_side::destination;
    blocks.block_copy.streams =
        blocks.shape.side == cache_block_side::source && blocks.block_copy.plan.writes_whole_lines();
}

/// Finds what moves the cache blocks. Returns false if nothing does.
template <isa Isa, class BlockCopies>
constexpr bool find_block_copy(const value_conversion& conversion, cache_block_plan& blocks) {
    const int bytes = blocks.shape.side == cache_block_side::source ? conversion.dst_bytes : conversion.src_bytes;
    return BlockCopies::template find<Isa>(blocks.block_copy, refine_cache_block(blocks.shape, bytes), bytes);
}

/// Chooses what moves the cache blocks. Where the side that would shuffle the smaller elements has no tiles for them,
/// and the other has, that is taken; where neither has, single elements are moved. False where nothing moves them:
/// seven axes end in a cache block, and a kernel watches max_bounds = 6.
template <isa Isa, class BlockCopies>
constexpr bool plan_block_copy(const value_conversion& conversion, cache_block_plan& blocks) {
    if (blocks.shape.side == cache_block_side::both) return true;
    constexpr dim_t least_row = 8;
    bool is_found = find_block_copy<Isa, BlockCopies>(conversion, blocks);
    const auto has_tiles = [&] { return is_found && blocks.block_copy.plan.pattern.has_vectors(); };
    if (BlockCopies::has_tiles && !has_tiles() && conversion.attributes.beta == 0) {
        const cache_block_side first = blocks.shape.side;
        const cache_block_side other =
            first == cache_block_side::source ? cache_block_side::destination : cache_block_side::source;
        if (dense_run(blocks.shape, other, least_row) == least_row) {
            cut_cache_blocks_again(conversion, blocks, other);
            is_found = find_block_copy<Isa, BlockCopies>(conversion, blocks);
            if (!has_tiles()) {
                cut_cache_blocks_again(conversion, blocks, first);
                is_found = find_block_copy<Isa, BlockCopies>(conversion, blocks);
            }
        }
    }
    if (!is_found) return false;
    fix_block_copy(blocks);
    return true;
}

/// Makes the plan with one instruction set.
///
/// Pre:     check_reorder(src, dst, attributes).ok(), cpu_has(Isa); src_span is src.layout.element_span()
/// Post:    out(in, out) does what reference_reorder(src, in, dst, out, attributes) does
/// Cost:    one to two microseconds; no allocation
template <isa Isa, class BlockCopies = tile_block_copies>
void plan_values_with(converting_reorder& out, const descriptor& src, const descriptor& dst,
                      const reorder_attributes& attributes, dim_t src_span) {
    converting_plan& plan = out.plan;
    plan.conversion = make_conversion(src.type, dst.type, attributes, dst.extra.scale_adjust);
    using code = simd::code_of<Isa>;
    plan.conversion.use(plan.conversion.in_f64 ? *code::template rows<double> : *code::template rows<float>);
    if (dst.extra.has_buffers()) {
        plan.s8s8 = {dst.s8s8_begin(), dst.s8s8_count(), dst.extra.s8s8_mask};
        plan.asymmetric_source = {dst.asymmetric_source_begin(), dst.asymmetric_source_count(),
                                  dst.extra.asymmetric_source_mask};
    }
    std::construct_at(&out.blocks);
    out.has_cache_blocks = plan_cache_blocks(plan, out.blocks, src.layout, dst.layout, src_span) &&
                           plan_block_copy<Isa, BlockCopies>(plan.conversion, out.blocks);
    if (out.has_cache_blocks) choose_streams(plan.conversion, out.blocks);
    if (!out.has_cache_blocks) out.layouts = {src.layout, dst.layout};
}

/// The same, of descriptors that only check_reorder has seen.
template <isa Isa, class BlockCopies = tile_block_copies>
converting_reorder plan_values_with(const descriptor& src, const descriptor& dst,
                                    const reorder_attributes& attributes) {
    converting_reorder out;
    plan_values_with<Isa, BlockCopies>(out, src, dst, attributes, static_cast<dim_t>(src.layout.element_span()));
    return out;
}

}  // namespace plait::engine
