// Kernels of plans that are constants: all numbers of the plan are constants in the code.
// Included by table_kernels.inl, in the namespace of each instruction set.
// Requires registers, conversions and lane_shuffles before it.

#include <plait/engine/simd/element_access.inl>

#include <plait/engine/simd/interleave.inl>
#include <plait/engine/simd/scaled_access.inl>
#include <plait/engine/simd/tile.inl>

// The loops around a tile.

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

// A strip of tiles that passes through a staging buffer, used instead of a tile.
//
// Example: f32 ab -> ba of 1024 x 1024: 16 tiles fill 16 rows of 256 elements in a buffer of 17408 bytes. Each row is
//          copied to the destination by 16 registers of 64 bytes.

template <class Plan>
struct staged_tile {
    static constexpr staging_buffer through{Plan::value};
    using inner_tile = typename pick_tile<typename Plan::types, through.filling.pattern, 0>::type;
    static constexpr typename inner_tile::offset_table inner_offsets = [] {
        auto out = inner_tile::find_offsets(through.filling, true);
        out.ahead = 0;  // the staging buffer stays in the cache
        return out;
    }();
    static constexpr int row_bytes = static_cast<int>(through.row_elements * Plan::value.sizes.dst);
    static constexpr int vector_size = row_bytes % vector_bytes(this_isa) == 0 ? vector_bytes(this_isa) : 16;
    static_assert(row_bytes % vector_size == 0);

    struct offset_table {};
    static constexpr offset_table find_offsets(const reorder_plan&, bool) { return {}; }

    template <bool, bool, class Remaining>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table&, const std::byte* src,
                                                  std::byte* dst, const Remaining& remaining) {
        alignas(64) std::byte rows[through.bytes()];
        typename inner_tile::remaining_type none({});
        none.src_end = remaining.src_end;
        run_loops<inner_tile, 0, false, false, through.filling.loops.size()>(through.filling, inner_offsets, 0, src,
                                                                             rows, none);
        for (int row = 0; row < through.rows.size(); ++row) {
            const std::byte* const from = rows + row * through.pitch * plan.sizes.dst;
            std::byte* const to = dst + through.rows[row] * plan.sizes.dst;
            if (row + 1 < through.rows.size())
                for (int k = 0; k < row_bytes; k += cache_line_bytes)
                    __builtin_prefetch(dst + through.rows[row + 1] * plan.sizes.dst + k, 1, 3);
            for (int k = 0; k < row_bytes; k += vector_size)
                vector<vector_size>::store(to + k, vector<vector_size>::load(from + k));
        }
    }
};

/// Returns true if some bounds are fixed in the code of a tile. Only then does the tile check which lanes a segment
/// has.
template <class Offsets>
constexpr bool has_invariant_bounds(const Offsets& offsets) {
    if constexpr (requires { offsets.invariant; })
        for (const bool invariant : offsets.invariant)
            if (invariant) return true;
    return false;
}

/// The segment offsets of the tile that the loops of a static plan run around.
template <class Plan, class Tile>
inline constexpr typename Tile::offset_table static_offsets = Tile::find_offsets(Plan::value, true);

/// The tile of a static plan with one or two bounds. Tiles that pass an end have code of their own, in which what
/// remains of the axis is a constant. There is code only for ends that exist: most plans have one, or none.
///
/// Example: nchw -> nChw16c with 39 channels: three tiles along c, the last of 7 of 16
template <class Plan>
struct tile_with_ends : tile<typename Plan::types, Plan::value.pattern, Plan::value.bounds.size()> {
    using base = tile<typename Plan::types, Plan::value.pattern, Plan::value.bounds.size()>;
    using typename base::offset_table, typename base::remaining_type;
    template <int X, bool LastValid>
    static constexpr end_tile_offsets<base> end =
        end_tile_offsets<base>::template find<X>(Plan::value, static_offsets<Plan, tile_with_ends>, LastValid);

    template <bool Invariant, bool Stream>
    [[gnu::always_inline]] static inline void run(const reorder_plan& plan, const offset_table& offsets,
                                                  const std::byte* src, std::byte* dst,
                                                  const remaining_type& remaining) {
        base::template run<Invariant, Stream, tile_with_ends>(plan, offsets, src, dst, remaining);
    }
    /// Moves a tile that passes the end of exactly one axis, with the remaining extent for which there is code. Returns
    /// false for other tiles.
    template <int... X>
    [[gnu::always_inline]] static inline bool run_end(const reorder_plan& plan, const std::byte* src, std::byte* dst,
                                                      const remaining_type& remaining,
                                                      std::integer_sequence<int, X...>) {
        return (
            (run_end_along<X, true>(plan, src, dst, remaining) || run_end_along<X, false>(plan, src, dst, remaining)) ||
            ...);
    }

private:
    template <int X, bool LastValid>
    [[gnu::always_inline]] static inline bool run_end_along([[maybe_unused]] const reorder_plan& plan,
                                                            [[maybe_unused]] const std::byte* src,
                                                            [[maybe_unused]] std::byte* dst,
                                                            [[maybe_unused]] const remaining_type& remaining) {
        if constexpr (end<X, LastValid>.passes) {
            static constexpr const auto& offsets = end<X, LastValid>.offsets;
            if (remaining.valid[X] != end<X, LastValid>.valid || remaining.stored[X] != end<X, LastValid>.stored)
                return false;
            if (!base::template is_interior<true>(plan, offsets, src, remaining)) return false;
            base::template move<true, false>(plan, remaining.elements, offsets, src, dst,
                                             typename base::every_register{});
            return true;
        } else {
            return false;
        }
    }
};

/// Chooses what the loops of a static plan run around: a tile, or a strip of tiles that passes through a staging
/// buffer.
template <class Plan, template <class, int> class Access>
struct pick_static_tile : pick_tile<typename Plan::types, Plan::value.pattern, Plan::value.bounds.size(), Access> {
    static constexpr int loops = Plan::value.loops.size();
};
template <class Plan, template <class, int> class Access>
    requires(Access<typename Plan::types, 1>::keeps_zero&& Plan::value.staged_from < 0 &&
             Plan::value.pattern.interleave == 0 && (Plan::value.bounds.size() == 1 || Plan::value.bounds.size() == 2))
struct pick_static_tile<Plan, Access> {
    using type = tile_with_ends<Plan>;
    static constexpr int loops = Plan::value.loops.size();
};
template <class Plan, template <class, int> class Access>
    requires(Access<typename Plan::types, 1>::keeps_zero&& Plan::value.staged_from >= 0)
struct pick_static_tile<Plan, Access> {
    using type = staged_tile<Plan>;
    static constexpr int loops = Plan::value.staged_from;
};

/// Runs a static plan, Plan::value, or a part of it. All of its numbers are constants in the code.
template <class Plan, bool Stream, template <class, int> class Access, int Lanes, class... Part>
[[gnu::always_inline]] inline void run_plan_around(const Access<typename Plan::types, Lanes>& lane_access,
                                                   const std::byte* src, std::byte* dst, const Part&... part) {
    constexpr const reorder_plan& plan = Plan::value;
    constexpr int bounds = plan.bounds.size();
    using picked = pick_static_tile<Plan, Access>;
    using plan_tile = typename picked::type;
    constexpr const auto& offsets = static_offsets<Plan, plan_tile>;
    tile_state<bounds, Access<typename Plan::types, Lanes>> state(plan, src, lane_access);
    src += plan.src_offset * plan.sizes.src;
    dst += plan.dst_offset * plan.sizes.dst;
    (go_to<bounds>(plan, part, src, dst, state), ...);
    run_loops<plan_tile, bounds, has_invariant_bounds(offsets), Stream, picked::loops>(plan, offsets, 0, src, dst,
                                                                                       state, part...);
    if constexpr (Stream) finish_streams();
}

/// The kernel of a static plan, or of a part of it. The part is known at run time.
template <class Plan, bool Stream, class... Part>
[[gnu::noinline]] inline void run_static(const std::byte* src, std::byte* dst, Part... part) noexcept {
    if ((part.is_empty() || ...)) return;
    constexpr int lanes = Plan::value.pattern.lanes();
    run_plan_around<Plan, Stream, access, lanes>({}, src, dst, part...);
}

/// The kernel of a static plan whose bounds and source offset are known only at run time: they are those of `now`,
/// which is otherwise the same plan.
template <class Plan, bool Stream>
[[gnu::noinline]] inline void run_static_with_bounds(const reorder_plan& now, const std::byte* src,
                                                     std::byte* dst) noexcept {
    constexpr const reorder_plan& plan = Plan::value;
    constexpr int bounds = plan.bounds.size();
    using plan_tile = typename pick_tile<typename Plan::types, plan.pattern, bounds>::type;
    static constexpr typename plan_tile::offset_table offsets = plan_tile::find_offsets(plan, false);
    const typename plan_tile::remaining_type state(now, src, {});
    src += now.src_offset * plan.sizes.src;
    dst += plan.dst_offset * plan.sizes.dst;
    run_loops<plan_tile, bounds, false, Stream, plan.loops.size()>(plan, offsets, 0, src, dst, state);
    if constexpr (Stream) finish_streams();
}

/// The kernel of a static plan with the same attributes for each element, and beta 0.
template <class Plan, bool Stream>
[[gnu::noinline]] inline void run_scaled(const std::byte* src, std::byte* dst,
                                         const element_attributes& attributes) noexcept {
    constexpr int lanes = Plan::value.pattern.lanes();
    const scaled_access<typename Plan::types, lanes> scaling(attributes);
    run_plan_around<Plan, Stream, scaled_access, lanes>(scaling, src, dst);
}
