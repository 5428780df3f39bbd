// What is left of the axes that a tile can pass the end of. Read in the same way as tile.inl.

// Everything is unrolled by folds over index sequences, not by loops: GCC keeps loops at -O2, and with them the plan's
// numbers in memory.
template <int Count>
using indices = std::make_integer_sequence<int, Count>;

/// What is left of each watched axis, from the first index of a tile on.
template <int Limits>
struct remaining {
    dim_t valid[Limits > 0 ? Limits : 1];
    dim_t stored[Limits > 0 ? Limits : 1];
    const std::byte* src_end;  ///< behind the source's last element

    template <int... X>
    [[gnu::always_inline]] inline void start(const reorder_plan& plan, const std::byte* src,
                                             std::integer_sequence<int, X...>) {
        src_end = src + plan.src_end * plan.sizes.src;
        // A plan known at run time may watch fewer axes than its kernel can.
        ((valid[X] = X < plan.limits.size() ? plan.limits[X].valid : INT64_MAX), ...);
        ((stored[X] = X < plan.limits.size() ? plan.limits[X].stored : INT64_MAX), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void step(const plan_loop& loop, std::integer_sequence<int, X...>) {
        ((valid[X] -= loop.limit == X ? loop.weight : 0, stored[X] -= loop.limit == X ? loop.weight : 0), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void step_back(const plan_loop& loop, std::integer_sequence<int, X...>) {
        ((valid[X] += loop.limit == X ? loop.back : 0, stored[X] += loop.limit == X ? loop.back : 0), ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline void skip(const plan_loop& loop, dim_t steps, std::integer_sequence<int, X...>) {
        ((valid[X] -= loop.limit == X ? steps * loop.weight : 0,
          stored[X] -= loop.limit == X ? steps * loop.weight : 0),
         ...);
    }
    /// Whether a whole tile lies within the limits, but for those that a tile always passes in the same way; whether
    /// anything of it is stored.
    template <int... X>
    [[gnu::always_inline]] inline bool whole(const reorder_plan& plan, const bool* fixed,
                                             std::integer_sequence<int, X...>) const {
        return ((fixed[X] || (valid[X] >= plan.limits[X].reach && stored[X] >= plan.limits[X].reach)) && ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline bool any(std::integer_sequence<int, X...>) const {
        return ((stored[X] > 0) && ...);
    }
};
