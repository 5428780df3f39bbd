#pragma once
// Reorders that change no element: by planned tiles, or one element after the other.

#include <plait/contract/reference.hpp>
#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>

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

/// How many times as large as its elements a destination is that is zeroed first.
inline constexpr dim_t most_padding = 16;

/// Plans tiles that do the reorder by themselves; false where elements change, or there are no tiles.
template <isa Isa>
bool plan_move(planned_tiles& out, const descriptor& src, const descriptor& dst, dim_t src_span) {
    if (src.type != dst.type) return false;
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_span)) return false;
    const layout& to = dst.layout;
    // Where most of the destination is padding, it is zeroed in one run, and what there is moved into that.
    if (to.padded_volume() / most_padding >= to.volume() && to.is_dense() && src.layout != to) {
        out.zeroed_from = to.offset0 * size_in_bytes(dst.type);
        out.zeroed_bytes = to.padded_volume() * size_in_bytes(dst.type);
        leave_out_padding(r);
    }
    coalesce_nodes(r);
    add_source_gap(r, src.layout);
    plan_tiles<Isa>(out.plan, out.kernel, r, size_in_bytes(src.type));
    if (out.kernel == nullptr) return false;
    out.at = out.kernel->offsets_for(out.plan);
    out.streams = may_stream(out.plan);
    return true;
}

}  // namespace plait::engine
