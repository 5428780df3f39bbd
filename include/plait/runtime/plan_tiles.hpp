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
/// Pre:     sizes are those of the path; plan is as it is made
/// Cost:    some hundred nanoseconds; no allocation
template <isa Isa>
void plan_tiles(reorder_plan& plan, const open_kernel*& kernel, const refinement& r, const element_sizes& sizes,
                kernel_key path) {
    const kernels_of_path known = tile_kernels<Isa>().of_path(path);
    const tile_choices tiles = choose_tiles(r, sizes, Isa, known.shapes());
    std::uint32_t refused = 0;  // by plan_around: the next is tried, which is rare
    const auto cheapest = [&] {
        int found = -1;
        dim_t least = 0;
        for (int k = 0; k < tiles.size() && (found < 0 || tiles[k].cost < least); ++k) {
            if ((refused >> k & 1) != 0) continue;
            const open_kernel* const here = known.find(path | key_of(tiles[k].pattern));
            if (here == nullptr) continue;
            const dim_t cost = tiles[k].interleaved >= 0 ? 0 : cost_of(tiles[k], r, sizes, Isa, here->steps);
            if (found >= 0 && cost >= least) continue;
            found = k;
            least = cost;
            kernel = here;
        }
        return found;
    };
    int tile = cheapest();
    for (; tile >= 0 && !plan_around(plan, r, tiles[tile], sizes); tile = cheapest()) {
        plan = {};
        refused |= 1u << tile;
    }
    if (tile < 0) {
        kernel = known.find(path | key_of(tile_pattern{}));
        if (kernel != nullptr && !plan_around(plan, r, choose_one_element(r, sizes, Isa), sizes)) kernel = nullptr;
    }
    if (kernel == nullptr) return;
    make_open(plan);
    if (!plan.limits.empty()) kernel = known.find(path | key_of(plan.pattern), find_settled_axis(plan));
}

}  // namespace plait
