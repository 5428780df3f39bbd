// What remains of the axes that a tile can pass the end of.
// Read once in each instruction set's namespace, see tile_moves.inl.

// Everything is unrolled by folds over index sequences, not by loops: GCC keeps loops at -O2, and with them the plan's
// numbers in memory.
template <int Count>
using indices = std::make_integer_sequence<int, Count>;

/// What remains of each bounded axis, from the first index of a tile on.
template <int Bounds>
struct remaining_extents {
    dim_t valid[Bounds > 0 ? Bounds : 1];
    dim_t stored[Bounds > 0 ? Bounds : 1];
    const std::byte* src_end;  ///< behind the source's last element

    template <int... X>
    [[gnu::always_inline]] inline void start(const reorder_plan& plan, const std::byte* src,
                                             std::integer_sequence<int, X...>) {
        src_end = src + plan.src_end * plan.sizes.src;
        // A plan known at run time may have fewer bounds than its kernel.
        ((valid[X] = X < plan.bounds.size() ? plan.bounds[X].valid : INT64_MAX), ...);
        ((stored[X] = X < plan.bounds.size() ? plan.bounds[X].stored : INT64_MAX), ...);
    }
    /// Goes on by `count` indices of the axis that the loop is of. Counted modulo 2^64: where the number of steps is a
    /// constant, GCC 12 looks one step too far, sees that INT64_MAX or its negative would overflow there, and warns of
    /// it.
    template <int... X>
    [[gnu::always_inline]] inline void go_on(const plan_loop& loop, dim_t count, std::integer_sequence<int, X...>) {
        ((valid[X] = minus(valid[X], loop.bound == X ? count : 0),
          stored[X] = minus(stored[X], loop.bound == X ? count : 0)),
         ...);
    }
    [[gnu::always_inline]] static inline dim_t minus(dim_t remaining, dim_t count) {
        return static_cast<dim_t>(static_cast<std::uint64_t>(remaining) - static_cast<std::uint64_t>(count));
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
