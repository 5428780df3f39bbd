#pragma once
// Destinations that are largely padding: all is zeroed in one run first, then elements are written without padding.
//
// abcd of 1 x 64 x 3 x 3 in ABcd16b16a: one of 16 floats is an element. 36,864 bytes are zeroed, 576 elements written.

#include <plait/engine/plan/refinement.hpp>

#include <cstring>  // std::memset

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The least number of places for each element for which a destination is zeroed first, if tiles move the elements.
inline constexpr dim_t least_padding = 16;
/// The least number of places for each element if elements are moved one by one.
inline constexpr dim_t least_padding_of_elements = 2;
/// The least number of contiguous bytes of elements for which a destination is zeroed before values are converted.
inline constexpr dim_t least_run_of_values = 8;
/// The most bytes of a destination that the second-level cache still has after they were zeroed.
inline constexpr dim_t zeros_in_cache = dim_t{1} << 20;
/// Returns the least number of places for each element if values are converted. It is smaller because a conversion
/// takes longer than a move. If the zeros have left the second-level cache before elements overwrite them, they are
/// read again.
constexpr dim_t least_padding_of_values(dim_t dst_bytes) { return dst_bytes <= zeros_in_cache ? 2 : 3; }

/// The bytes of a destination, relative to offset 0, that are zeroed before anything is moved.
struct zeroed_run {
    dim_t from = 0, bytes = 0;

    void write(void* out) const noexcept {
        if (bytes > 0) std::memset(static_cast<std::byte*>(out) + from, 0, static_cast<std::size_t>(bytes));
    }
};
constexpr zeroed_run all_of(const layout& dst, int bytes) {
    return {dst.span_begin() * bytes, dst.padded_volume() * bytes};
}

/// True if at most one of `least` places of a destination is not padding, and the destination may be zeroed in one run.
constexpr bool is_mostly_padding(const layout& src, const layout& dst, dim_t least) {
    return dst.volume() <= dst.padded_volume() / least && src != dst && dst.is_dense();
}

/// Removes the padding of a destination that is zeroed first: axes end with their elements, and nodes lose the steps
/// that only padding has. Padding within four bytes of elements is written with them, so no segment is shorter.
/// Returns how many elements are then stored.
///
/// Example: 2 channels of bf16 in blocks of 32: 2 steps of 32 are left. One in blocks 16b48a2b: of 32 the first 2
constexpr dim_t leave_out_padding(refinement& r, int bytes) {
    constexpr dim_t least_bytes = 4;
    dim_t volume = 1;
    for (int axis = 0; axis < r.bounds.size(); ++axis) {
        axis_bound& bound = r.bounds[axis];
        dim_t block = 1;
        for (const reorder_node& n : r.nodes) {
            if (n.axis != axis || n.dst <= 0 || n.dst * bytes >= least_bytes) continue;
            const dim_t near = n.index_step * smaller_of(n.extent, least_bytes / (n.dst * bytes));
            block = larger_of(block, near);
        }
        const dim_t whole = divide_up(bound.valid, block) * block;
        if (whole < bound.stored) bound.stored = whole;
        volume *= bound.stored;
    }
    for (reorder_node& n : r.nodes) {
        const dim_t steps = divide_up(r.bounds[n.axis].stored, n.index_step);
        if (!n.is_uneven && steps < n.extent) n.extent = steps;
    }
    return volume;
}

/// Returns how many elements are contiguous in a destination in which each node has all of its steps.
constexpr dim_t stored_run(const refinement& r) {
    dim_t run = 1;
    for (bool longer = true; longer;) {
        longer = false;
        for (const reorder_node& n : r.nodes) {
            if (n.dst != run || n.extent == 1 || n.is_uneven) continue;
            run *= n.extent;
            longer = true;
        }
    }
    return run;
}

/// Removes the padding of a destination that is zeroed before values are converted; false if that gains nothing. Runs
/// of few bytes gain if most is padding, and the zeros are still in cache or a cache line has many elements to convert.
///
/// Example: s8 -> f32 abcde of 1x16x29x29x20 into Acdeb16a, one element in each line of 17 MB: 0.9 ms written with its
///          padding, and 1.9 if zeroed first (Zen 5)
constexpr bool leave_out_padding_of_values(refinement& r, const layout& src, const layout& dst, int bytes) {
    if (!is_mostly_padding(src, dst, least_padding_of_values(dst.padded_volume() * bytes))) return false;
    refinement without_padding = r;
    leave_out_padding(without_padding, bytes);
    const bool may_have_short_runs =
        is_mostly_padding(src, dst, least_padding) && (bytes < 4 || dst.padded_volume() * bytes <= zeros_in_cache);
    if (!may_have_short_runs && stored_run(without_padding) * bytes < least_run_of_values) return false;
    r = without_padding;
    return true;
}

}  // namespace plait::engine
