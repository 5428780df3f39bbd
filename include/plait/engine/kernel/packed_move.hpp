#pragma once
// Moves of elements smaller than a byte: bytes by tiles, and what axes leave of a byte at their end bit by bit.
//
// Example: u4 ab -> ba, 511 x 513 elements of rows of 514 and of 512: 510 x 512 elements by tiles; then row 510 of the
// source, which is the last place of each row of the destination; then column 512, one row of the destination.

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/element_move.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/plan/packed_refinement.hpp>

namespace plait::engine {

/// Plans the tiles of a refinement in elements of `bits` bits; false if there are none.
template <isa Isa>
bool plan_packed_tiles(planned_tiles& out, refinement& r, int bits) {
    if (!count_in_bytes(r, bits)) return false;
    out.plan = {};
    plan_tiles<Isa>(out.plan, out.kernel, r, element_sizes(1));
    // Elements one by one are bytes one by one.
    if (out.kernel == nullptr) return false;
    out.offsets = out.kernel->offsets_for(out.plan);
    out.streams = may_stream(out.plan);
    return true;
}

/// Elements of axes that end inside a byte: tiles move those below an index along each axis, bit_move the others. No
/// byte of the destination holds elements of both.
struct packed_move {
    planned_tiles tiles;
    layout src, dst;
    int bits = 0;
    inline_list<int, max_ndims> axes;      ///< axes of which tiles leave a rest
    inline_list<dim_t, max_ndims> moved;  ///< the number of their indices that tiles move

    void operator()(const void* in, void* out) const noexcept { run_chunk(in, out, 0, 1); }
    void begin(void*) const noexcept {}
    void run_chunk(const void* in, void* out, int chunk, int chunks) const noexcept {
        tiles.run_chunk(in, out, chunk, chunks);
        if (chunk == 0) move_rest(static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
    }
    void finish(void*) const noexcept {}
    dim_t bytes_moved() const noexcept { return tiles.bytes_moved(); }

private:
    void move_rest(const std::byte* in, std::byte* out) const noexcept {
        refinement r;
        if (!refine(r, src, dst, static_cast<dim_t>(src.element_span()))) return;  // never: the tiles have one
        for (int k = 0; k < axes.size(); ++k) {
            bit_move rest(r, bits, in, out);
            rest.begin_at(axes[k], moved[k]);
            rest();
            axis_bound& bound = r.bounds[axes[k]];  // the next rest is of what tiles move along this axis
            bound = {smaller_of(bound.valid, moved[k]), moved[k]};
        }
    }
};

/// Leaves out of a refinement what axes leave of a byte at their end, and all after it.
inline void leave_out_rests(refinement& r, packed_move& out) {
    const dim_t count = byte_group(out.bits).count;
    for (int axis = 0; axis < r.bounds.size(); ++axis) {
        dim_t unit = 1;  // indices along the axis that are whole bytes on both sides
        for (const reorder_node& n : r.nodes)
            for (const dim_t step : {n.src, n.dst})
                if (n.axis == axis && n.extent > 1 && step > 0 && step < count && n.index_step * count / step > unit)
                    unit = n.index_step * count / step;
        axis_bound& bound = r.bounds[axis];
        if (bound.valid % unit == 0 && bound.stored % unit == 0) continue;
        const dim_t whole = bound.valid / unit * unit;
        bound = {whole, whole};
        out.axes.push_back(axis);
        out.moved.push_back(whole);
        for (reorder_node& n : r.nodes)
            if (n.axis == axis && divide_up(whole, n.index_step) < n.extent)
                n.extent = larger_of(1, divide_up(whole, n.index_step));
    }
}

/// Plans tiles, and what they leave to bit_move; false if tiles move nothing.
template <isa Isa>
bool plan_packed_move(packed_move& out, const descriptor& src, const descriptor& dst, dim_t src_span) {
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_span)) return false;
    out.src = src.layout;
    out.dst = dst.layout;
    out.bits = size_in_bits(dst.type);
    leave_out_rests(r, out);
    for (const dim_t moved : out.moved)
        if (moved == 0) return false;
    return !out.axes.empty() && plan_packed_tiles<Isa>(out.tiles, r, out.bits);
}

}  // namespace plait::engine
