// Kernels with attributes: the loops of kernel.inl around other tiles. Read in the same way as tile.inl, behind
// kernel.inl.

#include <plait/reorder/simd/attribute_lanes.inl>
#include <plait/reorder/simd/scaled_tile.inl>
#include <plait/reorder/simd/valued_tile.inl>

/// The loops of a plan known at run time, from the one numbered `first` on; the innermost is code around the tile.
///
/// Pre:     first < plan.loops.size()
template <class Tile, int Limits, bool Stream, class Left>
inline void run_outer_loops(const reorder_plan& plan, const typename Tile::places& at, int first, const std::byte* src,
                            std::byte* dst, Left rest) noexcept {
    if (first + 1 == plan.loops.size())
        return run_loops<Tile, Limits, false, Stream, 1>(plan, at, first, src, dst, rest);
    const plan_loop& loop = plan.loops[first];
    for (dim_t i = 0; i < loop.extent; ++i) {
        if (loop.back != 0 && i + 1 == loop.extent) step_back<Limits>(plan, loop, src, dst, rest);
        run_outer_loops<Tile, Limits, Stream>(plan, at, first + 1, src, dst, rest);
        take_step<Limits>(plan, loop, i, src, dst, rest);
    }
}

/// The kernel of a plan known at compile time.
template <class Plan, class Tile, bool Stream, class Left>
[[gnu::always_inline]] inline void run_attributed(const std::byte* src, std::byte* dst, Left rest) noexcept {
    constexpr const reorder_plan& plan = Plan::value;
    constexpr int limits = plan.limits.size();
    rest.start(plan, src, indices<limits>{});
    src += plan.src_offset * plan.sizes.src;
    dst += plan.dst_offset * plan.sizes.dst;
    // As without attributes: instruction sets that are seldom used get less code for it.
    if constexpr (this_isa == isa::portable || this_isa == isa::sse41) {
        const typename Tile::places at = Tile::find_places(Plan::value, false);
        run_outer_loops<Tile, limits, Stream>(plan, at, 0, src, dst, rest);
    } else {
        static constexpr typename Tile::places at = Tile::find_places(Plan::value, true);
        run_loops<Tile, limits, true, Stream, Plan::value.loops.size()>(plan, at, 0, src, dst, rest);
    }
    if constexpr (Stream) finish_streams();
}

/// Attributes that are one value each, and beta 0.
template <class Plan, bool Stream>
[[gnu::noinline]] inline void run_scaled(const std::byte* src, std::byte* dst,
                                         const reorder_attributes& attributes) noexcept {
    using plan_tile =
        typename pick_scaled_tile<typename Plan::path, Plan::value.pattern, Plan::value.limits.size()>::type;
    run_attributed<Plan, plan_tile, Stream>(src, dst, typename plan_tile::left(attributes));
}

/// Any attributes whose masks have only axes that the plan keeps.
template <class Plan>
[[gnu::noinline]] inline void run_valued(const std::byte* src, std::byte* dst, const reorder_attributes& attributes,
                                         const dims& extents) noexcept {
    using plan_tile = valued_tile<typename Plan::path, Plan::value.pattern, Plan::value.limits.size()>;
    typename plan_tile::attributes how(attributes, extents, Plan::value);
    run_attributed<Plan, plan_tile, false>(src, dst, typename plan_tile::left(how));
}
