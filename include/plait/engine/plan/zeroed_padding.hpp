#pragma once
// A destination that is largely padding: zeros in one run first, then elements without their padding.
//
// f32 abcd of 1 x 64 x 3 x 3 in ABcd16b16a: of 16 floats one is an element. 36,864 bytes of zeros, and 576 elements.

#include <plait/engine/plan/refinement.hpp>

#include <cstring>  // std::memset

namespace plait::engine {

/// How many places a destination has for each of its elements, at least, for it to be zeroed before: where tiles move.
inline constexpr dim_t least_padding = 16;
/// The same where elements move one by one.
inline constexpr dim_t least_padding_of_elements = 2;
/// How many bytes of elements lie side by side, at least, for it to be zeroed before elements change their values.
inline constexpr dim_t least_run_of_values = 8;
/// The places for each element then: fewer, as to change a value takes longer than to move it. Where zeros have left
/// the second cache before elements are written over them, they are read again.
constexpr dim_t least_padding_of_values(dim_t dst_bytes) { return dst_bytes <= dim_t{1} << 20 ? 2 : 3; }

/// Bytes of a destination, from where offset 0 lies, that are zeroed before anything is moved.
struct zeroed_run {
    dim_t from = 0, bytes = 0;

    void write(void* out) const noexcept {
        if (bytes > 0) std::memset(static_cast<std::byte*>(out) + from, 0, static_cast<std::size_t>(bytes));
    }
};
constexpr zeroed_run all_of(const layout& dst, int bytes) { return {dst.span_begin() * bytes, dst.padded_volume() * bytes}; }

/// Whether of `least` elements of a destination at most one is no padding, and it may be zeroed in one run before.
constexpr bool is_mostly_padding(const layout& src, const layout& dst, dim_t least) {
    return dst.volume() <= dst.padded_volume() / least && src != dst && dst.is_dense();
}

/// Leaves the padding of a destination that is zeroed before to that: axes end where elements do, and nodes lose the
/// steps that only padding has. What lies within four bytes is written with its neighbours: no segment is shorter.
/// Returns how many elements are stored then.
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

/// How many elements lie side by side in a destination, where each node has all of its steps.
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

/// Leaves its padding out of a destination that is zeroed before elements change their values; false where that is no
/// gain.
constexpr bool leave_out_padding_of_values(refinement& r, const layout& src, const layout& dst, int bytes) {
    if (!is_mostly_padding(src, dst, least_padding_of_values(dst.padded_volume() * bytes))) return false;
    refinement without_padding = r;
    leave_out_padding(without_padding, bytes);
    if (!is_mostly_padding(src, dst, least_padding) && stored_run(without_padding) * bytes < least_run_of_values)
        return false;
    r = without_padding;
    return true;
}

}  // namespace plait::engine
