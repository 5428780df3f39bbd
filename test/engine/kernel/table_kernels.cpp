#include "table_kernels.hpp"

#include "support/with_each_isa.hpp"

#include <plait/engine/kernel/plan_tiles.hpp>

namespace kernels {

const simd::table_kernels* table_kernels_with(isa which) {
    const simd::table_kernels* found = nullptr;
    plait_test::with_each_isa([&]<isa Isa>() {
        if (which != Isa) return;
        if constexpr (has_compiled_kernels(Isa) && has_table_kernels(Isa)) found = compiled_kernels<Isa>().tiles;
        else if constexpr (std::endian::native == std::endian::little)  // portable ones, which x86 does not use
            found = simd::code_of<Isa>::template data<plait::detail::vector_bytes(Isa)>;
    });
    return found;
}

const run_time_kernel* table_kernel_of(const simd::table_kernels& all, const tile_pattern& pattern, int bytes) {
    if (pattern.interleave != 0) return all.find_interleave(pattern, bytes);
    return all.of[pattern.lane_bits + log2_of(bytes)][pattern.register_bits];
}

std::vector<table_plan> every_table_plan(const layout& src, const layout& dst, int bytes, isa which,
                                         const simd::table_kernels& all) {
    std::vector<table_plan> out;
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return out;
    const refinement r = coalesce(*refined);
    tile_queue tiles(r, element_sizes(bytes), which, network_kind::table);
    while (const tile_choice* const tile = tiles.next())
        for (const bool may_overlap : {true, false}) {
            reorder_plan plan;
            if (!plan_around(plan, r, *tile, element_sizes(bytes), may_overlap)) continue;
            make_run_time_form(plan);
            if (!may_overlap && !out.empty() && plan == out.back().plan) continue;
            out.push_back({plan, table_kernel_of(all, plan.pattern, bytes)});
            REQUIRE(out.back().kernel != nullptr);
        }
    return out;
}

}  // namespace kernels
