#pragma once
// Reorders that change no element, or multiply each f32 by the same factors, by planned tiles.

#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/engine/plan/refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Finds the factors of a reorder of f32 that only multiplies and preserves zeros; false for other reorders.
///
/// Example: a source scale of 0.5 gives the factors 0.5 and 1; a destination scale of 4 gives 1 and 0.25
constexpr bool find_factors(move_factors& out, const descriptor& src, const descriptor& dst,
                            const reorder_attributes& a) {
    const auto is_normal = [](float f) { return f >= 1.0e-37f && f <= 1.0e37f; };  // false for NaN
    if (src.type != data_type::f32 || dst.type != data_type::f32) return false;
    reorder_attributes others = a;  // all other attributes must change nothing, including any added later
    others.src_scale = others.dst_scale = {};
    if (!dst.extra.empty() || !is_trivial(others) || !a.src_scale.is_one_value() || !a.dst_scale.is_one_value())
        return false;
    const float src_scale = value_for_tensor(a.src_scale), dst_scale = value_for_tensor(a.dst_scale);
    if (!is_normal(src_scale) || !is_normal(dst_scale)) return false;
    out = {src_scale, 1 / dst_scale};
    return true;
}

/// Plans the tiles of a refinement; false if there is no kernel.
inline bool plan_refined(planned_tiles& out, refinement& r, const layout& src, int bytes, const move_factors& factors,
                         const run_time_kernels& kernels) {
    continue_source(r, bytes);
    coalesce_nodes(r);
    add_source_gap(r, src, bytes);
    plan_tiles(out.plan, out.kernel, out.offsets, r, element_sizes(bytes), kernels);
    if (out.kernel == nullptr) return false;
    // Only tiles whose network is a table multiply.
    const tile_pattern& pattern = out.plan.pattern;
    return !factors.changes || (pattern.has_vectors() && pattern.interleave == 0);
}

/// Plans tiles without the padding of a destination that is zeroed first. Returns how many elements are then stored; 0
/// if there is no kernel, or if the destination is not zeroed in long runs.
inline dim_t plan_zeroed(planned_tiles& out, refinement r, const layout& src, const layout& dst, int bytes,
                         const move_factors& factors, const run_time_kernels& kernels) {
    out.zeroed = runs_of(dst, bytes);
    if (out.zeroed.first.bytes == 0) return 0;
    const dim_t stored = leave_out_padding(r, bytes);
    out.plan_anew();
    return plan_refined(out, r, src, bytes, factors, kernels) ? stored : 0;
}

/// Plans tiles that write the padding of a destination together with its elements; false if they have no vectors.
inline bool plan_padding(planned_tiles& out, refinement r, const layout& src, int bytes, const move_factors& factors,
                         const run_time_kernels& kernels) {
    if (plan_refined(out, r, src, bytes, factors, kernels) && out.plan.pattern.has_vectors()) return true;
    out.plan_anew();
    return false;
}

/// Plans tiles without padding for a destination that is nearly all padding. Also false if the tiles have no vectors
/// and too many elements are left to move one by one. Measured: an element takes at least as long as a tile takes for
/// 64 bytes of padding.
inline bool plan_mostly_zeroed(planned_tiles& out, const refinement& r, const layout& src, const layout& dst, int bytes,
                               const move_factors& factors, const run_time_kernels& kernels) {
    if (!is_mostly_padding(src, dst, least_padding)) return false;
    if (dst.padded_volume() * bytes > most_zeroed_bytes && !has_few_lines_with_elements(r, dst, bytes) &&
        plan_padding(out, r, src, bytes, factors, kernels))
        return true;
    const dim_t stored = plan_zeroed(out, r, src, dst, bytes, factors, kernels), padded = dst.padded_volume();
    if (stored != 0 && stored <= padded / least_padding &&
        (out.plan.pattern.has_vectors() || stored * cache_line_bytes <= padded * bytes))
        return true;
    out.zeroed = {};
    out.plan_anew();
    return false;
}

/// Plans tiles that do the whole reorder; false if elements change in other ways, or if there are no tiles.
///
/// Pre:     the types differ, or have whole bytes
inline bool plan_move(planned_tiles& out, const descriptor& src, const descriptor& dst, dim_t src_end,
                      const run_time_kernels& kernels, const move_factors& factors = {}) {
    if (src.type != dst.type) return false;
    refinement r;
    if (!refine(r, src.layout, dst.layout, src_end)) return false;
    const int bytes = static_cast<int>(size_in_bytes(dst.type));
    if (!plan_mostly_zeroed(out, r, src.layout, dst.layout, bytes, factors, kernels)) {
        if (!plan_refined(out, r, src.layout, bytes, factors, kernels)) return false;
        if (moves_padding_one_by_one(out.plan, src.layout, dst.layout) && runs_of(dst.layout, bytes).first.bytes != 0) {
            r = {};
            if (!refine(r, src.layout, dst.layout, src_end) ||
                plan_zeroed(out, r, src.layout, dst.layout, bytes, factors, kernels) == 0)
                return false;
        }
    }
    out.plan.sparse_bytes = span_in_sparse_source(out.plan);
    out.offsets.factors = factors;
    keep_walks(out.walks, out.edges, out.plan, *out.kernel, out.offsets);
    out.choose_orders();
    return true;
}

}  // namespace plait::engine
