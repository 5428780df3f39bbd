#pragma once
// What moves a cache block between its dense buffer and the other side: a kernel for plans known only at run time.

#include <plait/engine/kernel/plan_tiles.hpp>

#include <optional>

namespace plait::engine {

/// A plan for one cache block, and its kernel. Where a cache block lies, and what the bounds leave of it, is set before
/// each run.
struct planned_block_copy {
    reorder_plan plan;
    const run_time_kernel* kernel = nullptr;  ///< null: there is none
    run_time_offsets offsets;                 ///< of its tiles
    bool streams = false;                     ///< past the cache, where a cache block begins at a cache line

    void operator()(const std::byte* src, std::byte* dst) const noexcept {
        run_kernel(plan, *kernel, offsets, streams && is_aligned(dst, cache_line_bytes), src, dst);
    }
};

// Block copies of a kind: `find` plans one and returns whether there is a kernel for it.

/// Block copies by tiles of vectors, planned in place, with all kernels that there are for an instruction set.
struct tile_block_copies {
    static constexpr bool has_tiles = true;

    template <isa Isa>
    static bool find(planned_block_copy& out, const refinement& cache_block, int bytes) {
        plan_tiles<Isa>(out.plan, out.kernel, cache_block, element_sizes(bytes));
        if (out.kernel == nullptr) return false;
        out.offsets = out.kernel->offsets_for(out.plan);
        return true;
    }
};

/// Block copies of a plan that is a constant: the plan alone. The kernel of its pattern is found by the type that has
/// the plan, as then it is the only one that is compiled. No pointer to a kernel says that there is one: with
/// -fsanitize=undefined, GCC does not compare an address with null in a constant.
struct constant_block_copies {
    static constexpr bool has_tiles = true;

    template <isa Isa>
    static constexpr bool find(planned_block_copy& out, const refinement& cache_block, int bytes) {
        const std::optional<reorder_plan> plan =
            make_plan(cache_block, element_sizes(bytes), Isa, [](const reorder_plan&) { return true; });
        if (plan) out.plan = run_time_form(*plan);
        return plan.has_value();
    }
};

/// Block copies of one element after the other, which cost nothing to compile: for tests of all else.
struct element_block_copies {
    static constexpr bool has_tiles = false;

    template <isa>
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
