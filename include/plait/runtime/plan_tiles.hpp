#pragma once
// How a reorder between layouts known only at run time is planned: with the tiles that there are kernels for.

#include <plait/runtime/tile_kernels.hpp>

namespace plait {

/// A plan, and the kernel that runs it.
struct planned_tiles {
    reorder_plan plan;
    const open_kernel* kernel = nullptr;  ///< null: there is none
    bool streams = false;                 ///< past the cache, where the destination begins at a cache line

    void operator()(const void* in, void* out) const noexcept { run(plan, in, out); }
    /// Only a part of the plan; see part_of.
    void run_part(const void* in, void* out, const plan_part& part) const noexcept {
        if (!part.is_empty()) run(plan_of_part(plan, part), in, out);
    }

private:
    void run(const reorder_plan& what, const void* in, void* out) const noexcept {
        run_open_plan(what, *kernel, streams && is_aligned(out, cache_line_bytes), static_cast<const std::byte*>(in),
                      static_cast<std::byte*>(out));
    }
};

/// Finds the cheapest plan of those whose kernels an instruction set has for a path of elements; without a kernel where
/// it has none.
///
/// Pre:     sizes are those of the path
/// Cost:    half a microsecond; no allocation
template <isa Isa>
void plan_tiles(planned_tiles& best, const refinement& r, const element_sizes& sizes, kernel_key path) {
    const auto& table = tile_kernels<Isa>();
    dim_t least = 0;
    const auto take = [&](const tile_choice& tile, const open_kernel* kernel, dim_t cost) {
        const auto plan = plan_around(r, tile, sizes);
        if (!plan) return;
        best.plan = *plan;
        best.kernel = kernel;
        least = cost;
    };
    best.kernel = nullptr;
    for (const tile_choice& tile : choose_tiles(r, sizes, Isa)) {
        if (best.kernel != nullptr && tile.cost >= least) break;
        const open_kernel* const kernel = table.find(path | key_of(tile.pattern));
        if (kernel == nullptr) continue;
        const dim_t cost = tile.interleaved >= 0 ? 0 : cost_of(tile, r, sizes, Isa, kernel->steps);
        if (best.kernel == nullptr || cost < least) take(tile, kernel, cost);
    }
    if (best.kernel == nullptr)
        if (const open_kernel* const kernel = table.find(path | key_of(tile_pattern{})))
            take(choose_one_element(r, sizes, Isa), kernel, 0);
    if (best.kernel == nullptr) return;
    make_open(best.plan);
    if (!best.plan.limits.empty())
        best.kernel = table.find(path | key_of(best.plan.pattern), find_settled_axis(best.plan));
    best.streams = may_stream(best.plan);
}

}  // namespace plait
