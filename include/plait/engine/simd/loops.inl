// The loops around a tile.
// Included by kernel.inl, in the namespace of each instruction set.
// Requires interleave.inl and tile.inl before it.

/// Chooses the class that moves the tiles of a pattern.
template <class Types, tile_pattern Pattern, int Bounds, template <class, int> class Access = access>
struct pick_tile {
    using type = tile<Types, Pattern, Bounds, Access>;
};
template <class Types, tile_pattern Pattern, int Bounds, template <class, int> class Access>
    requires(Pattern.interleave != 0)
struct pick_tile<Types, Pattern, Bounds, Access> {
    using type = interleave_tile<Types, Pattern, Bounds, Access>;
};

/// Moves the last tile of a loop back, so that it ends with the axis and overlaps the tile before it.
template <int Bounds, class Remaining>
[[gnu::always_inline]] inline void step_back(const reorder_plan& plan, const plan_loop& loop, const std::byte*& src,
                                             std::byte*& dst, Remaining& remaining) {
    src -= loop.overlap_src * plan.sizes.src;
    dst -= loop.overlap_dst * plan.sizes.dst;
    remaining.move_on(loop.bound, -loop.overlap);
}

/// Advances from step i of a loop to the next step.
template <int Bounds, class Remaining>
[[gnu::always_inline]] inline void take_step(const reorder_plan& plan, const plan_loop& loop, dim_t i,
                                             const std::byte*& src, std::byte*& dst, Remaining& remaining) {
    src += loop.src * plan.sizes.src;
    dst += loop.dst * plan.sizes.dst;
    if (loop.is_uneven) {
        const uneven_offsets more = uneven_behind(plan.uneven_steps, loop.axis, i);
        src += more.src * plan.sizes.src;
        dst += more.dst * plan.sizes.dst;
    }
    remaining.move_on(loop.bound, loop.index_step);
}

/// The begin and end of a loop: the whole loop, or the steps of a part.
[[gnu::always_inline]] constexpr dim_t begin_of(const reorder_plan&, int) { return 0; }
[[gnu::always_inline]] constexpr dim_t end_of(const reorder_plan& plan, int loop) { return plan.loops[loop].extent; }
[[gnu::always_inline]] constexpr dim_t begin_of(const reorder_plan&, int loop, const plan_part& part) {
    return loop == part.loop ? part.begin : 0;
}
[[gnu::always_inline]] constexpr dim_t end_of(const reorder_plan& plan, int loop, const plan_part& part) {
    return loop == part.loop ? part.end : plan.loops[loop].extent;
}

/// Advances to the first step of a part.
template <int Bounds, class Remaining>
[[gnu::always_inline]] inline void go_to(const reorder_plan& plan, const plan_part& part, const std::byte*& src,
                                         std::byte*& dst, Remaining& remaining) {
    const plan_loop& loop = plan.loops[part.loop];
    src += part.begin * loop.src * plan.sizes.src;
    dst += part.begin * loop.dst * plan.sizes.dst;
    if (loop.is_uneven) {
        const uneven_offsets more = uneven_within(plan.uneven_steps, loop.axis, part.begin);
        src += more.src * plan.sizes.src;
        dst += more.dst * plan.sizes.dst;
    }
    remaining.move_on(loop.bound, part.begin * loop.index_step);
}

/// Runs `Loops` loops of the plan around the tile, beginning with loop number `first`: all steps, or those of a part.
/// `Invariant`: the tile has bounds that are fixed in its code.
template <class Tile, int Bounds, bool Invariant, bool Stream, int Loops, class Remaining, class... Part>
[[gnu::always_inline]] inline void run_loops(const reorder_plan& plan, const typename Tile::offset_table& offsets,
                                             int first, const std::byte* src, std::byte* dst, Remaining remaining,
                                             const Part&... part) {
    if constexpr (Loops == 0) {
        Tile::template run<Invariant, Stream>(plan, offsets, src, dst, remaining);
    } else {
        const plan_loop& loop = plan.loops[first];
        for (dim_t i = begin_of(plan, first, part...); i < end_of(plan, first, part...); ++i) {
            if (loop.overlap != 0 && i + 1 == loop.extent) step_back<Bounds>(plan, loop, src, dst, remaining);
            run_loops<Tile, Bounds, Invariant, Stream, Loops - 1>(plan, offsets, first + 1, src, dst, remaining,
                                                                  part...);
            take_step<Bounds>(plan, loop, i, src, dst, remaining);
        }
    }
}
