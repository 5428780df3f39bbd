#pragma once
// What moves a panel between its dense buffer and the other side: a kernel for plans known only at run time.

#include <plait/runtime/plan_tiles.hpp>

namespace plait {

/// A plan for one panel, and its kernel. Where a panel lies, and what the limits leave of it, is set before each run.
struct panel_mover {
    reorder_plan plan;
    const open_kernel* kernel = nullptr;  ///< null: there is none
    open_places at;                       ///< of its tiles
    bool streams = false;                 ///< past the cache, where a panel begins at a cache line

    void operator()(const std::byte* src, std::byte* dst) const noexcept {
        run_open_plan(plan, *kernel, at, streams && is_aligned(dst, cache_line_bytes), src, dst);
    }
};

/// Movers by tiles of vectors, planned in place, with all kernels that there are for an instruction set.
struct tile_movers {
    static constexpr bool has_tiles = true;

    template <isa Isa>
    static void find(panel_mover& out, const refinement& panel, int bytes) {
        plan_tiles<Isa>(out.plan, out.kernel, panel, bytes);
        if (out.kernel != nullptr) out.at = out.kernel->places_of(out.plan);
    }
};

/// Movers of one element after the other, which cost nothing to compile: for tests of all else.
struct element_movers {
    static constexpr bool has_tiles = false;

    template <isa>
    static void find(panel_mover& out, const refinement& panel, int bytes) {
        const element_sizes sizes(bytes);
        if (!plan_around(out.plan, panel, choose_one_element(panel, sizes, isa::portable), sizes)) return;
        make_open(out.plan);
        out.kernel = bytes == 1   ? kernel_for<1>()
                     : bytes == 2 ? kernel_for<2>()
                     : bytes == 4 ? kernel_for<4>()
                                  : kernel_for<8>();
        out.at = out.kernel->places_of(out.plan);
    }

private:
    template <int Bytes>
    static const open_kernel* kernel_for() {
        return element_kernel<Bytes>;
    }
};

}  // namespace plait
