#pragma once
// What moves a panel between its dense buffer and the other side: a kernel for plans known only at run time.

#include <plait/reorder/run_time_reorder.hpp>

namespace plait {

/// A plan for one panel, and its kernel. Where a panel lies, and what the limits leave of it, is set before each run.
struct panel_mover {
    reorder_plan plan;
    const pattern_kernel* kernel = nullptr;  ///< null: there is none

    void operator()(const std::byte* src, std::byte* dst) const noexcept { kernel->run(plan, src, dst); }
};

template <isa Isa, int Bytes>
panel_mover find_mover_of(const refinement& panel) {
    const auto accept = [](const reorder_plan& p) { return find_kernel<Isa, Bytes>(p) != nullptr; };
    const auto plan = make_plan(panel, Bytes, Isa, accept, true);
    return plan ? panel_mover{*plan, find_kernel<Isa, Bytes>(*plan)} : panel_mover{};
}

/// Finds what moves elements of some bytes, 1, 2, 4 or 8.
template <isa Isa>
panel_mover find_mover(const refinement& panel, int bytes) {
    switch (bytes) {
        case 1: return find_mover_of<Isa, 1>(panel);
        case 2: return find_mover_of<Isa, 2>(panel);
        case 4: return find_mover_of<Isa, 4>(panel);
        default: return find_mover_of<Isa, 8>(panel);
    }
}

}  // namespace plait
