// Kernels of plans that are constants: all numbers of the plan are constants in the code.
// Included by the header of each instruction set, in its namespace.
// Requires element_access.inl and lane_shuffles*.inl before it.

#include <plait/engine/simd/interleave.inl>
#include <plait/engine/simd/scaled_access.inl>
#include <plait/engine/simd/tile.inl>

#include <plait/engine/simd/loops.inl>
#include <plait/engine/simd/staged_tile.inl>

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

/// The kernel of a static plan with attributes that are one value each, and beta 0.
template <class Plan, bool Stream>
[[gnu::noinline]] inline void run_scaled(const std::byte* src, std::byte* dst,
                                         const reorder_attributes& attributes) noexcept {
    constexpr int lanes = Plan::value.pattern.lanes();
    const scaled_access<typename Plan::types, lanes> scaling(attributes);
    run_plan_around<Plan, Stream, scaled_access, lanes>(scaling, src, dst);
}
