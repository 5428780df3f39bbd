#pragma once
// What the ends of axes leave of a tile: the remaining extent of each axis whose end the tile can pass, and the lanes
// of its registers, as bits.

#include <plait/engine/plan/plan.hpp>
#include <plait/engine/plan/staging.hpp>
#include <plait/support/checked_arithmetic.hpp>

#include <bit>  // std::countr_zero
#include <cstdint>
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

// The lanes that remain of the registers of a tile at the ends of axes. For each segment of a register, whose lanes are
// contiguous in memory, the bits say which lanes are there. No instruction is named here; kernels turn bits into masks.
//
// Example: a tile of 16 channels by 4 places, of bytes, in a tensor of 35 channels. Three channels remain of the tile
// that begins at channel 32. If a segment is 16 channels at one place, each of the four segments has the lanes 0b111.
// If a segment is 4 places of one channel, the first three of the 16 segments have 0b1111, the others 0.

inline constexpr int max_segment_bits = max_register_bits + 3;  // a segment has 8 bytes at least, a register 64 at most
inline constexpr int max_segments = 1 << max_segment_bits;

/// Returns, as bits, the lanes whose index along one bounded axis is below `remaining`. The lane bits [first, first +
/// bits) count along the axis; `index_step` is what the first of them adds to the index.
[[gnu::always_inline]] constexpr std::uint64_t lanes_below(int first, int bits, dim_t remaining, dim_t index_step) {
    // A one at every 2^n-th bit.
    constexpr std::uint64_t every[] = {
        ~0ull, 0x5555555555555555, 0x1111111111111111, 0x0101010101010101, 0x0001000100010001, 0x0000000100000001, 1};
    if (remaining <= 0) return 0;
    const dim_t steps = index_step == 1 ? remaining : divide_down(remaining + index_step - 1, index_step);
    if (steps >= dim_t{1} << bits) return ~std::uint64_t{0};
    // The first `steps` of every 2^(first + bits) lanes, each counting 2^first of them.
    return ((std::uint64_t{1} << (steps << first)) - 1) * every[first + bits];
}

/// Returns all lanes of a segment, as bits.
constexpr std::uint64_t all_lanes_of(int lane_bits) { return ~std::uint64_t{0} >> (64 - (1 << lane_bits)); }

/// The bits of the tile that the bits of a segment's number count, on one side.
using segment_bits = inline_list<int, max_segment_bits>;

/// One side of a tile along one bounded axis: how the lanes of a segment, and the bits of its number, count along it.
class bounded_side {
public:
    constexpr bounded_side(const reorder_plan& plan, const segment_bits& counted, int lanes_of_element, side of,
                           int bound)
        : all_lanes_(all_lanes_of(plan.pattern.segment_bits(of) + lanes_of_element)),
          span_(lanes_along(plan.pattern, bound, of)) {
        for (int k = 0; k < counted.size(); ++k) {
            if (plan.pattern.bounds[counted[k]] != bound) continue;
            index_step_[count_] = plan.bits[counted[k]].index_step;
            segment_bit_[count_++] = 1 << k;
        }
        if (!has_lanes()) return;
        lane_index_step_ = plan.bits[of == side::source ? span_.first : plan.pattern.dst_lanes[span_.first]].index_step;
        span_.first += lanes_of_element;
    }
    constexpr bool has_lanes() const { return span_.bits > 0; }
    /// Returns how many bits of a segment's number count along the axis. The functions below return each, and its step.
    constexpr int count() const { return count_; }
    constexpr int segment_bit(int k) const { return segment_bit_[k]; }
    constexpr dim_t index_step(int k) const { return index_step_[k]; }

    /// Returns the lanes of a segment that has `remaining` indices left from its first lane.
    constexpr std::uint64_t lanes(dim_t remaining) const {
        if (!has_lanes()) return whole_segments(remaining);
        return all_lanes_ & lanes_below(span_.first, span_.bits, remaining, lane_index_step_);
    }
    /// Returns all lanes if anything remains, otherwise none.
    constexpr std::uint64_t whole_segments(dim_t remaining) const { return remaining > 0 ? all_lanes_ : 0; }

private:
    std::uint64_t all_lanes_;
    lane_span span_;  ///< the lanes that count along the axis
    int count_ = 0;
    int segment_bit_[max_segment_bits];  // uninitialised until used
    dim_t index_step_[max_segment_bits];
    dim_t lane_index_step_ = 1;
};

/// The lanes of all segments of one side. A bit of a segment's number counts along one axis. The end of an axis thus
/// distinguishes only as many segments as its own bits count, and leaves most of them whole.
class segment_masks {
public:
    /// Sets the masks of 2^bits segments to all lanes.
    constexpr segment_masks(std::uint64_t* masks, int bits, std::uint64_t all_lanes)
        : masks_(masks), segments_(1 << bits), all_lanes_(all_lanes) {
        for (int segment = 0; segment < segments_; ++segment) masks_[segment] = all_lanes;
    }
    /// Keeps the lanes that a bound leaves if `remaining` indices are left at the start of the tile.
    constexpr void keep(const bounded_side& side, dim_t remaining) const {
        keep_lanes(side, remaining, [&](dim_t segment_remaining) { return side.lanes(segment_remaining); });
    }
    /// Keeps the whole of each segment that has at least one lane within the bound.
    constexpr void keep_segments(const bounded_side& side, dim_t remaining) const {
        keep_lanes(side, remaining, [&](dim_t segment_remaining) { return side.whole_segments(segment_remaining); });
    }

private:
    std::uint64_t* masks_;
    int segments_;
    std::uint64_t all_lanes_;

    template <class LanesOf>
    constexpr void keep_lanes(const bounded_side& side, dim_t remaining, const LanesOf& lanes_of) const {
        dim_t segment_remaining[max_segments];
        int first[max_segments], own = 0;
        for (int k = 0; k < side.count(); ++k) own |= side.segment_bit(k);
        for (int j = 0; j < 1 << side.count(); ++j) {
            const int lower = j & (j - 1), k = std::countr_zero(static_cast<unsigned>(j));
            segment_remaining[j] = j == 0 ? remaining : segment_remaining[lower] - side.index_step(k);
            first[j] = j == 0 ? 0 : first[lower] | side.segment_bit(k);
            const std::uint64_t lanes = lanes_of(segment_remaining[j]);
            if (lanes == all_lanes_) continue;
            // Apply to all segments with these bits: `others` counts over the remaining bits and skips the own ones.
            for (int others = 0; others < segments_; others = ((others | own) + 1) & ~own)
                masks_[first[j] | others] &= lanes;
        }
    }
};

}  // namespace plait::engine
