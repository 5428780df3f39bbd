#pragma once
// Copies of a cache block between its dense buffer and the other side, with a kernel for plans known only at run time.

#include <plait/engine/kernel/plan_tiles.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A plan for copying one cache block, and its kernel. The place of the cache block and its bounds are set before each
/// run.
struct planned_block_copy {
    reorder_plan plan;
    const run_time_kernel* kernel = nullptr;  ///< null if there is no kernel
    run_time_offsets offsets;                 ///< offsets of its tiles
    bool streams = false;                     ///< uses non-temporal stores if the cache block begins at a cache line

    /// Copies a cache block. `found` has the edges of other cache blocks.
    void operator()(const std::byte* src, std::byte* dst, found_edges& found) const noexcept {
        run_kernel(plan, *kernel, offsets, streams && is_aligned(dst, cache_line_bytes), src, dst, found);
    }
};

// The following types are kinds of block copies. `find` plans one, and returns true if there is a kernel for it.

/// Block copies by tiles of vectors, planned in place, with every kernel of an instruction set.
struct tile_block_copies {
    static constexpr bool has_tiles = true;
    run_time_kernels kernels;

    bool find(planned_block_copy& out, const refinement& cache_block, int bytes) const {
        plan_tiles(out.plan, out.kernel, cache_block, element_sizes(bytes), kernels);
        if (out.kernel == nullptr) return false;
        out.kernel->set_offsets(out.offsets, out.plan);
        return true;
    }
};

/// Block copies with a constant plan. `find` makes the plan only: the type that holds the plan finds the kernel of its
/// pattern, so that no other kernel is compiled. The kernel pointer stays null, because with -fsanitize=undefined GCC
/// does not compare an address with null in a constant expression.
struct constant_block_copies {
    static constexpr bool has_tiles = true;
    isa instructions;

    constexpr bool find(planned_block_copy& out, const refinement& cache_block, int bytes) const {
        const std::optional<reorder_plan> plan =
            make_plan(cache_block, element_sizes(bytes), instructions, [](const reorder_plan&) { return true; });
        if (plan) out.plan = run_time_form(*plan);
        return plan.has_value();
    }
};

/// Block copies that move one element after the other. They are cheap to compile, and serve tests of everything else.
struct element_block_copies {
    static constexpr bool has_tiles = false;

    static bool find(planned_block_copy& out, const refinement& cache_block, int bytes) {
        const element_sizes sizes(bytes);
        if (!plan_around(out.plan, cache_block, choose_one_element(cache_block, sizes, isa::portable), sizes))
            return false;
        make_run_time_form(out.plan);
        out.kernel = bytes == 1   ? element_kernel<1>()
                     : bytes == 2 ? element_kernel<2>()
                     : bytes == 4 ? element_kernel<4>()
                                  : element_kernel<8>();
        out.offsets = out.kernel->offsets_for(out.plan);
        return true;
    }
};

}  // namespace plait::engine
