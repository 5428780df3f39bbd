#pragma once
// The remaining extents of the axes whose end a tile can pass.

#include <plait/engine/plan/plan.hpp>

#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The numbers 0, 1, ..., Count - 1. Kernels are unrolled by folds over them instead of loops, because GCC at -O2 keeps
/// loops, and with them the numbers of the plan in memory.
template <int Count>
using indices = std::make_integer_sequence<int, Count>;

/// The remaining extent of each bounded axis, from the first index of a tile to the end of the axis. Plans have at most
/// `Bounds` bounds, which is a constant in kernels whose plan is a constant.
template <int Bounds = max_bounds>
struct remaining_extents {
    static constexpr std::size_t places = Bounds > 0 ? static_cast<std::size_t>(Bounds) : 1;
    dim_t valid[places];
    dim_t stored[places];
    const std::byte* src_end = nullptr;  ///< the end of the source's last element

    remaining_extents() = default;
    /// Starts at the first tile of a plan.
    [[gnu::always_inline]] explicit remaining_extents(const reorder_plan& plan) { start(plan, indices<Bounds>{}); }
    [[gnu::always_inline]] remaining_extents(const reorder_plan& plan, const std::byte* src) : remaining_extents(plan) {
        src_end = src + plan.src_end * plan.sizes.src;
    }

    /// Moves the first index along a bound by `count`; has no effect if bound < 0.
    [[gnu::always_inline]] inline void move_on(int bound, dim_t count) {
        if (bound < 0) return;
        valid[bound] = minus(valid[bound], count);
        stored[bound] = minus(stored[bound], count);
    }
    /// Checks that all of a tile is within the bounds, except the bounds that every tile passes in the same way.
    [[gnu::always_inline]] inline bool whole(const reorder_plan& plan, const bool* invariant) const {
        return whole(plan, invariant, indices<Bounds>{});
    }
    /// Checks that a tile stores at least one element.
    [[gnu::always_inline]] inline bool any() const { return any(indices<Bounds>{}); }
    /// Leaves out what is stored but not valid; returns true if there was any.
    [[gnu::always_inline]] inline bool leave_padding_out() { return leave_padding_out(indices<Bounds>{}); }
    /// Returns the number of indices between the end of a tile and the end of a bound; negative if it passes the end.
    [[gnu::always_inline]] inline dim_t spare(const reorder_plan& plan, int bound) const {
        return (valid[bound] < stored[bound] ? valid[bound] : stored[bound]) - plan.bounds[bound].reach;
    }

private:
    template <int... X>
    [[gnu::always_inline]] inline bool whole([[maybe_unused]] const reorder_plan& plan,
                                             [[maybe_unused]] const bool* invariant,
                                             std::integer_sequence<int, X...>) const {
        return ((invariant[X] || (valid[X] >= plan.bounds[X].reach && stored[X] >= plan.bounds[X].reach)) && ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline bool any(std::integer_sequence<int, X...>) const {
        return ((stored[X] > 0) && ...);
    }
    template <int... X>
    [[gnu::always_inline]] inline bool leave_padding_out(std::integer_sequence<int, X...>) {
        const bool any = ((valid[X] < stored[X]) || ...);
        ((stored[X] = valid[X] < stored[X] ? valid[X] : stored[X]), ...);
        return any;
    }
    template <int... X>
    [[gnu::always_inline]] inline void start(const reorder_plan& plan, std::integer_sequence<int, X...>) {
        // A plan known at run time may have fewer bounds than its kernel.
        ((valid[X] = X < plan.bounds.size() ? plan.bounds[X].valid : INT64_MAX), ...);
        ((stored[X] = X < plan.bounds.size() ? plan.bounds[X].stored : INT64_MAX), ...);
    }
    /// Subtracts modulo 2^64. If the number of steps is a constant, GCC 12 looks one step too far, finds that INT64_MAX
    /// or its negative would overflow there, and warns.
    [[gnu::always_inline]] static inline dim_t minus(dim_t remaining, dim_t count) {
        return static_cast<dim_t>(static_cast<std::uint64_t>(remaining) - static_cast<std::uint64_t>(count));
    }
};

}  // namespace plait::engine
