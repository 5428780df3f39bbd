// The loops around a tile. Read in the same way as tile.inl, which it begins with.

#include <plait/reorder/simd/interleave.inl>
#include <plait/reorder/simd/tile.inl>

/// What moves the tiles of a pattern.
template <class Path, tile_pattern Pattern, int Limits>
struct pick_tile {
    using type = tile<Path, Pattern, Limits>;
};
template <class Path, tile_pattern Pattern, int Limits>
    requires(Pattern.interleave != 0)
struct pick_tile<Path, Pattern, Limits> {
    using type = interleave_tile<Path, Pattern, Limits>;
};

/// The last step of a loop whose tiles end with the axis.
template <int Limits, class Left>
[[gnu::always_inline]] inline void step_back(const reorder_plan& plan, const plan_loop& loop, const std::byte*& src,
                                             std::byte*& dst, Left& rest) {
    src -= loop.back_src * plan.sizes.src;
    dst -= loop.back_dst * plan.sizes.dst;
    rest.step_back(loop, indices<Limits>{});
}

/// The step behind the i-th of a loop.
template <int Limits, class Left>
[[gnu::always_inline]] inline void take_step(const reorder_plan& plan, const plan_loop& loop, dim_t i,
                                             const std::byte*& src, std::byte*& dst, Left& rest) {
    src += loop.src * plan.sizes.src;
    dst += loop.dst * plan.sizes.dst;
    for (int k = 0; loop.carries && k < plan.carries.size(); ++k) {
        const step_carry& carry = plan.carries[k];
        if (carry.axis != loop.axis || (i + 1) % carry.period != 0) continue;
        src += carry.src * plan.sizes.src;
        dst += carry.dst * plan.sizes.dst;
    }
    rest.step(loop, indices<Limits>{});
}

/// Where a loop begins and ends: all of it, or what a part has of it.
[[gnu::always_inline]] constexpr dim_t begin_of(const reorder_plan&, int) { return 0; }
[[gnu::always_inline]] constexpr dim_t end_of(const reorder_plan& plan, int loop) { return plan.loops[loop].extent; }
[[gnu::always_inline]] constexpr dim_t begin_of(const reorder_plan&, int loop, const plan_part& part) {
    return loop == part.loop ? part.begin : 0;
}
[[gnu::always_inline]] constexpr dim_t end_of(const reorder_plan& plan, int loop, const plan_part& part) {
    return loop == part.loop ? part.end : plan.loops[loop].extent;
}

/// To the first step of a part.
template <int Limits, class Left>
[[gnu::always_inline]] inline void go_to(const reorder_plan& plan, const plan_part& part, const std::byte*& src,
                                         std::byte*& dst, Left& rest) {
    const plan_loop& loop = plan.loops[part.loop];
    src += part.begin * loop.src * plan.sizes.src;
    dst += part.begin * loop.dst * plan.sizes.dst;
    for (int k = 0; loop.carries && k < plan.carries.size(); ++k) {
        const step_carry& carry = plan.carries[k];
        if (carry.axis != loop.axis) continue;
        src += part.begin / carry.period * carry.src * plan.sizes.src;
        dst += part.begin / carry.period * carry.dst * plan.sizes.dst;
    }
    rest.skip(loop, part.begin, indices<Limits>{});
}

/// `Loops` loops of the plan, from the one numbered `first` on, around the tile; Settled where the plan is a constant;
/// all of them, or a part.
template <class Tile, int Limits, bool Settled, bool Stream, int Loops, class Left, class... Part>
[[gnu::always_inline]] inline void run_loops(const reorder_plan& plan, const typename Tile::places& at, int first,
                                             const std::byte* src, std::byte* dst, Left rest, const Part&... part) {
    if constexpr (Loops == 0) {
        Tile::template run<Settled, Stream>(plan, at, src, dst, rest);
    } else {
        const plan_loop& loop = plan.loops[first];
        for (dim_t i = begin_of(plan, first, part...); i < end_of(plan, first, part...); ++i) {
            if (loop.back != 0 && i + 1 == loop.extent) step_back<Limits>(plan, loop, src, dst, rest);
            run_loops<Tile, Limits, Settled, Stream, Loops - 1>(plan, at, first + 1, src, dst, rest, part...);
            take_step<Limits>(plan, loop, i, src, dst, rest);
        }
    }
}

#include <plait/reorder/simd/staged_tile.inl>

/// Whether limits are settled in the code of a tile: only then it asks which lanes a piece has.
template <class Places>
constexpr bool has_settled_limits(const Places& at) {
    if constexpr (requires { at.fixed; })
        for (const bool fixed : at.fixed)
            if (fixed) return true;
    return false;
}

/// What the loops of a plan known at compile time go around: a tile, or a panel of tiles that goes through a stage.
template <class Plan>
struct pick_static_tile : pick_tile<typename Plan::path, Plan::value.pattern, Plan::value.limits.size()> {
    static constexpr int loops = Plan::value.loops.size();
};
template <class Plan>
    requires(Plan::value.staged_from >= 0)
struct pick_static_tile<Plan> {
    using type = staged_tile<Plan>;
    static constexpr int loops = Plan::value.staged_from;
};

/// The kernel of a plan known at compile time: Plan::value. All its numbers are constants in the code. With a
/// plan_part, which is known at run time, the kernel of such a part.
template <class Plan, bool Stream, class... Part>
[[gnu::noinline]] inline void run_static(const std::byte* src, std::byte* dst, Part... part) noexcept {
    constexpr const reorder_plan& plan = Plan::value;
    constexpr int limits = plan.limits.size();
    using plan_tile = typename pick_static_tile<Plan>::type;
    static constexpr typename plan_tile::places at = plan_tile::find_places(Plan::value, true);
    if ((part.is_empty() || ...)) return;
    remaining<limits> rest;
    rest.start(plan, src, indices<limits>{});
    src += plan.src_offset * plan.sizes.src;
    dst += plan.dst_offset * plan.sizes.dst;
    (go_to<limits>(plan, part, src, dst, rest), ...);
    run_loops<plan_tile, limits, has_settled_limits(at), Stream, pick_static_tile<Plan>::loops>(plan, at, 0, src, dst,
                                                                                                rest, part...);
    if constexpr (Stream) finish_streams();
}

#include <plait/reorder/simd/open_kernel.inl>
