#pragma once
// Reorders that change no element: by planned tiles, or one element after the other.

#include <plait/contract/reference.hpp>
#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>

#include <algorithm>  // std::max, std::min

namespace plait::engine {

/// A move of elements one by one, for the few layouts that have no common refinement.
struct element_move {
    layout src, dst;
    int bytes = 0;

    void operator()(const void* in, void* out) const noexcept {
        const auto move = [&]<element T>(T) {
            reference_reorder(src, static_cast<const T*>(in), dst, static_cast<T*>(out));
        };
        switch (bytes) {
            case 1: return move(std::uint8_t{});
            case 2: return move(bfloat16{});
            case 4: return move(std::int32_t{});
            default: return move(double{});
        }
    }
};

/// Of how many elements of a destination one is wanted, for it to be zeroed before.
inline constexpr dim_t least_padding = 16;

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
            const dim_t near = n.index_step * std::min(n.extent, least_bytes / (n.dst * bytes));
            block = std::max(block, near);
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

/// Whether at most a sixteenth of a destination may be anything but padding, and it may be zeroed in one run before.
constexpr bool is_mostly_padding(const layout& src, const layout& dst) {
    return dst.volume() <= dst.padded_volume() / least_padding && src != dst && dst.is_dense();
}

/// Plans the tiles of a refinement; false where there is no kernel.
template <isa Isa>
bool plan_refined(planned_tiles& out, refinement& r, const layout& src, int bytes) {
    coalesce_nodes(r);
    add_source_gap(r, src);
    plan_tiles<Isa>(out.plan, out.kernel, r, bytes);
    return out.kernel != nullptr;
}

/// The same without the padding, of a destination that is zeroed before; false also where too few elements are left for
/// a tile of vectors.
template <isa Isa>
bool plan_zeroed(planned_tiles& out, refinement r, const layout& src, const layout& dst, int bytes) {
    return leave_out_padding(r, bytes) <= dst.padded_volume() / least_padding &&
           plan_refined<Isa>(out, r, src, bytes) && out.plan.pattern.has_vectors();
}

/// Plans tiles that do the reorder by themselves; false where elements change, or there are no tiles.
template <isa Isa>
bool plan_move(planned_tiles& out, const descriptor& src, const descriptor& dst, dim_t src_span) {
    if (src.type != dst.type) return false;
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_span)) return false;
    const int bytes = static_cast<int>(size_in_bytes(dst.type));
    if (is_mostly_padding(src.layout, dst.layout) && plan_zeroed<Isa>(out, r, src.layout, dst.layout, bytes)) {
        out.zeroed_from = dst.layout.offset0 * bytes;
        out.zeroed_bytes = dst.layout.padded_volume() * bytes;
    } else {
        out.plan = {};
        if (!plan_refined<Isa>(out, r, src.layout, bytes)) return false;
    }
    out.at = out.kernel->offsets_for(out.plan);
    out.streams = may_stream(out.plan);
    return true;
}

}  // namespace plait::engine
