// What is left of the axes that a tile can pass the end of. Read in the same way as tile.inl.

// Everything is unrolled by folds over index sequences, not by loops: GCC keeps loops at -O2, and with them the plan's
// numbers in memory.
template <int Count>
using indices = std::make_integer_sequence<int, Count>;

/// What is left of each bounded axis, from the first index of a tile on.
template <int Bounds>
struct remaining_extents {
    dim_t valid[Bounds > 0 ? Bounds : 1];
    dim_t stored[Bounds > 0 ? Bounds : 1];
    const std::byte* src_end;  ///< behind the source's last element

    template <int... X>
    [[gnu::always_inline]] inline void start(const reorder_plan& plan, const std::byte* src,
                                             std::integer_sequence<int, X...>) {
        src_end = src + plan.src_end * plan.sizes.src;
        // A plan known at run time may watch fewer axes than its kernel can.
        ((valid[X] = X < plan.bounds.size() ? plan.bounds[X].valid : INT64_MAX), ...);
        ((stored[X] = X < plan.bounds.size() ? plan.bounds[X].stored : INT64_MAX), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void step(const plan_loop& loop, std::integer_sequence<int, X...>) {
        ((valid[X] -= loop.bound == X ? loop.index_step : 0, stored[X] -= loop.bound == X ? loop.index_step : 0), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void step_back(const plan_loop& loop, std::integer_sequence<int, X...>) {
        ((valid[X] += loop.bound == X ? loop.overlap : 0, stored[X] += loop.bound == X ? loop.overlap : 0), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void skip(const plan_loop& loop, dim_t steps, std::integer_sequence<int, X...>) {
        ((valid[X] -= loop.bound == X ? steps * loop.index_step : 0,
          stored[X] -= loop.bound == X ? steps * loop.index_step : 0),
         ...);
    }
    /// Whether a whole tile lies within the bounds, but for those that a tile always passes in the same way; whether
    /// anything of it is stored.
    template <int... X>
    [[gnu::always_inline]] inline bool whole(const reorder_plan& plan, const bool* invariant,
                                             std::integer_sequence<int, X...>) const {
        return ((invariant[X] || (valid[X] >= plan.bounds[X].reach && stored[X] >= plan.bounds[X].reach)) && ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline bool any(std::integer_sequence<int, X...>) const {
        return ((stored[X] > 0) && ...);
    }
};
