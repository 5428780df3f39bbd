#pragma once
// How a reorder between layouts known only at run time is planned: with the tiles that there are kernels for.

#include <plait/runtime/tile_kernels.hpp>

namespace plait {

/// A plan, and the kernel that runs it.
struct planned_tiles {
    reorder_plan plan;
    const open_kernel* kernel = nullptr;  ///< null: there is none
    open_places at;                       ///< of its tiles
    bool streams = false;                 ///< past the cache, where the destination begins at a cache line

    void operator()(const void* in, void* out) const noexcept { run(plan, in, out); }
    /// Only a part of the plan; see part_of.
    void run_part(const void* in, void* out, const plan_part& part) const noexcept {
        if (!part.is_empty()) run(plan_of_part(plan, part), in, out);
    }

private:
    void run(const reorder_plan& what, const void* in, void* out) const noexcept {
        run_open_plan(what, *kernel, at, streams && is_aligned(out, cache_line_bytes),
                      static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
    }
};

/// Finds the cheapest plan of those whose kernels an instruction set has for a path of elements; without a kernel where
/// it has none.
///
/// Pre:     sizes are those of the path; plan is as it is made
/// Cost:    some hundred nanoseconds; no allocation
template <isa Isa>
void plan_tiles(reorder_plan& plan, const open_kernel*& kernel, const refinement& r, const element_sizes& sizes,
                kernel_key path) {
    const auto& table = tile_kernels<Isa>();
    kernel = nullptr;
    const kernels_of_path* const known = table.of_path(path);
    if (known == nullptr) return;
    tile_queue tiles(r, sizes, Isa, known->shapes);
    const tile_choice* best = nullptr;
    const auto choose = [&] {
        best = nullptr;
        kernel = nullptr;
        dim_t least = INT64_MAX;
        while (const tile_choice* const tile = tiles.next(least)) {
            const open_kernel* const here = table.find(*known, path | key_of(tile->pattern));
            if (here == nullptr) continue;
            const dim_t cost = tile->interleaved >= 0 ? 0 : cost_of(*tile, r, sizes, Isa, here->steps);
            if (cost >= least) continue;
            best = tile;
            least = cost;
            kernel = here;
        }
        return best != nullptr;
    };
    bool made = false;
    while (!made && choose()) {
        made = plan_around(plan, r, *best, sizes);
        if (made) break;
        plan = {};
        tiles.restart_without(*best);
    }
    if (!made) {
        kernel = table.find(*known, path | key_of(tile_pattern{}));
        if (kernel != nullptr && !plan_around(plan, r, choose_one_element(r, sizes, Isa), sizes)) kernel = nullptr;
    }
    if (kernel == nullptr) return;
    make_open(plan);
}

/// The kernel of a plan that knows what an axis leaves of each tile, if there is one; else the one that it has.
///
/// Pre:     plan_tiles has found the kernel; the limits of the plan stay as they are
template <isa Isa>
const open_kernel* find_settled_kernel(const reorder_plan& plan, const open_kernel* kernel, kernel_key path) {
    const settled_axis axis = plan.limits.empty() ? settled_axis{} : find_settled_axis(plan);
    if (!axis.exists()) return kernel;
    const auto& table = tile_kernels<Isa>();
    const open_kernel* const settled = table.find(*table.of_path(path), path | key_of(plan.pattern), axis);
    return settled != nullptr ? settled : kernel;
}

}  // namespace plait
