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

/// Plans the tiles of a refinement; false where there is no kernel.
template <isa Isa>
bool plan_refined(planned_tiles& out, refinement& r, const layout& src, int bytes) {
    continue_source(r, bytes);
    coalesce_nodes(r);
    add_source_gap(r, src);
    plan_tiles<Isa>(out.plan, out.kernel, r, bytes);
    return out.kernel != nullptr;
}

/// The same without the padding, of a destination that is zeroed before; false also where more elements are left than
/// single ones are faster for, and they are no tile of vectors. Measured: an element takes as long as 64 bytes of
/// padding take a tile, or longer.
template <isa Isa>
bool plan_zeroed(planned_tiles& out, refinement r, const layout& src, const layout& dst, int bytes) {
    const dim_t stored = leave_out_padding(r, bytes);
    return stored <= dst.padded_volume() / least_padding && plan_refined<Isa>(out, r, src, bytes) &&
           (out.plan.pattern.has_vectors() || stored * cache_line_bytes <= dst.padded_volume() * bytes);
}

/// Plans tiles that do the reorder by themselves; false where elements change, or there are no tiles.
template <isa Isa>
bool plan_move(planned_tiles& out, const descriptor& src, const descriptor& dst, dim_t src_span) {
    if (src.type != dst.type) return false;
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_span)) return false;
    const int bytes = static_cast<int>(size_in_bytes(dst.type));
    if (is_mostly_padding(src.layout, dst.layout) && plan_zeroed<Isa>(out, r, src.layout, dst.layout, bytes)) {
        out.zeroed = all_of(dst.layout, bytes);
    } else {
        out.plan = {};
        if (!plan_refined<Isa>(out, r, src.layout, bytes)) return false;
    }
    out.at = out.kernel->offsets_for(out.plan);
    out.streams = may_stream(out.plan);
    return true;
}

}  // namespace plait::engine
