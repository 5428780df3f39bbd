#pragma once
// Moves of elements smaller than a byte: bytes by tiles, and what axes leave of a byte at their end bit by bit.
//
// Example: u4 ab -> ba, 511 x 513 elements of rows of 514 and of 512: 510 x 512 elements by tiles; then row 510 of the
// source, which is the last place of each row of the destination; then column 512, one row of the destination.

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/element_move.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/plan/packed_refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The rests that tiles of bytes leave of axes that end inside a byte. Tiles move the elements whose index is below a
/// number along each of these axes, bit_move the others. No byte of the destination holds elements of both.
struct packed_rests {
    inline_list<int, max_ndims> axes;
    inline_list<dim_t, max_ndims> moved;  ///< the number of indices along each of the axes that tiles move

    /// Leaves out of a refinement in elements of `bits` bits what axes leave of a byte at their end, and all after it.
    constexpr void leave_out_of(refinement& r, int bits) {
        const dim_t count = byte_group(bits).count;
        for (int axis = 0; axis < r.bounds.size(); ++axis) {
            dim_t unit = 1;  // indices along the axis that are whole bytes on both sides
            for (const reorder_node& n : r.nodes)
                for (const dim_t step : {n.src, n.dst})
                    if (n.axis == axis && n.extent > 1 && step > 0 && step < count)
                        unit = larger_of(unit, n.index_step * count / step);
            axis_bound& bound = r.bounds[axis];
            if (bound.valid % unit == 0 && bound.stored % unit == 0) continue;
            const dim_t whole = bound.valid / unit * unit;
            bound = {whole, whole};
            axes.push_back(axis);
            moved.push_back(whole);
            for (reorder_node& n : r.nodes)
                if (n.axis == axis) n.extent = smaller_of(n.extent, larger_of(1, divide_up(whole, n.index_step)));
        }
    }
    constexpr bool leave_no_tiles() const {
        for (const dim_t indices : moved)
            if (indices == 0) return true;
        return false;
    }
    void move(const layout& src, const layout& dst, int bits, const std::byte* in, std::byte* out) const noexcept {
        refinement r;
        if (axes.empty() || !refine(r, src, dst, static_cast<dim_t>(src.element_span()))) return;
        for (int k = 0; k < axes.size(); ++k) {
            bit_move rest(r, bits, in, out);
            rest.begin_at(axes[k], moved[k]);
            rest();
            axis_bound& bound = r.bounds[axes[k]];  // the next rest is of what tiles move along this axis
            bound = {smaller_of(bound.valid, moved[k]), moved[k]};
        }
    }
};

/// Plans the tiles of a refinement in elements of `bits` bits; false if there are none.
inline bool plan_packed_tiles(planned_tiles& out, refinement& r, int bits, const run_time_kernels& kernels) {
    if (!count_in_bytes(r, bits)) return false;
    out.plan = {};
    plan_tiles(out.plan, out.kernel, r, element_sizes(1), kernels);
    if (out.kernel == nullptr) return false;
    out.kernel->set_offsets(out.offsets, out.plan);
    out.streams = may_stream(out.plan);
    return true;
}

/// A move by tiles of which axes leave rests.
struct packed_move {
    planned_tiles tiles;
    layout src, dst;
    int bits = 0;
    packed_rests rests;

    void operator()(const void* in, void* out, const order_trials& trials) const noexcept {
        run_chunk(in, out, 0, 1, trials);
    }
    void begin(void*) const noexcept {}
    void run_chunk(const void* in, void* out, int chunk, int chunks, const order_trials& trials) const noexcept {
        tiles.run_chunk(in, out, chunk, chunks, trials);
        if (chunk == 0) rests.move(src, dst, bits, static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
    }
    void finish(void*) const noexcept {}
    dim_t bytes_moved() const noexcept { return tiles.bytes_moved(); }
};

/// Plans tiles, and what they leave to bit_move; false if they leave nothing or all.
inline bool plan_packed_move(packed_move& out, const descriptor& src, const descriptor& dst, dim_t src_span,
                             const run_time_kernels& kernels) {
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_span)) return false;
    out.src = src.layout;
    out.dst = dst.layout;
    out.bits = size_in_bits(dst.type);
    out.rests.leave_out_of(r, out.bits);
    return !out.rests.axes.empty() && !out.rests.leave_no_tiles() && plan_packed_tiles(out.tiles, r, out.bits, kernels);
}

}  // namespace plait::engine
