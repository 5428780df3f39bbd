// Kernels with attributes: the loops of kernel.inl around other tiles.
// Read once in each instruction set's namespace, see tile_moves.inl.
// Needs before it: kernel.inl.

#include <plait/engine/simd/scaled_tile.inl>

/// The loops of a plan known at run time, from the one numbered `first` on; the innermost is code around the tile.
///
/// Pre:     first < plan.loops.size()
template <class Tile, int Bounds, bool Stream, class Remaining>
inline void run_outer_loops(const reorder_plan& plan, const typename Tile::offset_table& offsets, int first,
                            const std::byte* src, std::byte* dst, Remaining remaining) noexcept {
    if (first + 1 == plan.loops.size())
        return run_loops<Tile, Bounds, false, Stream, 1>(plan, offsets, first, src, dst, remaining);
    const plan_loop& loop = plan.loops[first];
    for (dim_t i = 0; i < loop.extent; ++i) {
        if (loop.overlap != 0 && i + 1 == loop.extent) step_back<Bounds>(plan, loop, src, dst, remaining);
        run_outer_loops<Tile, Bounds, Stream>(plan, offsets, first + 1, src, dst, remaining);
        take_step<Bounds>(plan, loop, i, src, dst, remaining);
    }
}

/// The kernel of a plan known at compile time, for attributes that are one value each, and beta 0.
template <class Plan, bool Stream>
[[gnu::noinline]] inline void run_scaled(const std::byte* src, std::byte* dst,
                                         const reorder_attributes& attributes) noexcept {
    constexpr const reorder_plan& plan = Plan::value;
    constexpr int bounds = plan.bounds.size();
    using plan_tile = typename pick_scaled_tile<typename Plan::types, plan.pattern, bounds>::type;
    typename plan_tile::remaining_type remaining(attributes);
    remaining.start(plan, src, indices<bounds>{});
    src += plan.src_offset * plan.sizes.src;
    dst += plan.dst_offset * plan.sizes.dst;
    // As without attributes: instruction sets that are seldom used get less code for it.
    if constexpr (this_isa == isa::portable || this_isa == isa::sse41) {
        const typename plan_tile::offset_table offsets = plan_tile::find_offsets(plan, false);
        run_outer_loops<plan_tile, bounds, Stream>(plan, offsets, 0, src, dst, remaining);
    } else {
        static constexpr typename plan_tile::offset_table offsets = plan_tile::find_offsets(Plan::value, true);
        run_loops<plan_tile, bounds, has_invariant_bounds(offsets), Stream, plan.loops.size()>(plan, offsets, 0, src,
                                                                                               dst, remaining);
    }
    if constexpr (Stream) finish_streams();
}
