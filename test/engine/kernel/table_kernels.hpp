#pragma once
// The kernels whose networks are tables, for tests that run them directly: with any tile, not only the one that a
// plan finds cheapest, and the portable kernels, which x86 otherwise does not use.

#include "kernels.hpp"

#include <plait/engine/kernel/run_time_loops.hpp>

#include <optional>

namespace kernels {

/// Returns the kernels of an instruction set; null if this architecture or CPU does not have it.
const simd::table_kernels* table_kernels_with(isa which);

/// Returns the kernel of a tile; null if there is none.
const run_time_kernel* table_kernel_of(const simd::table_kernels& all, const tile_pattern& pattern, int bytes);

/// A plan, and the kernel that runs it.
struct table_plan {
    reorder_plan plan;
    const run_time_kernel* kernel;
};

/// Returns the plans of all candidate tiles, with tiles that overlap at the ends of axes and tiles that pass them.
///
/// Pre:     check_reorder(src, dst).ok()
std::vector<table_plan> every_table_plan(const layout& src, const layout& dst, int bytes, isa which,
                                         const simd::table_kernels& all);

/// Runs plans between inaccessible pages, and compares each with the reference.
template <class T>
void match_reference(const layout& src, const layout& dst, isa which, const std::vector<table_plan>& plans) {
    const std::size_t src_size = src.element_span() + static_cast<std::size_t>(src.offset0),
                      dst_size = dst.element_span() + static_cast<std::size_t>(dst.offset0);
    for (const fence where : {fence::in_front, fence::behind}) {
        fenced_memory<T> in(src_size, where), wanted(dst_size, where);
        reference_reorder(src, in.data(), dst, wanted.data());
        for (const table_plan& planned : plans) {
            const reorder_plan& plan = planned.plan;
            fenced_memory<T> out(dst_size, where);
            // Also past the cache, although only large tensors are stored there.
            const bool streams = plan.contiguous_bytes() >= cache_line_bytes && bytes_behind_line(out.data()) == 0 &&
                                 plan.line_alignment() * plan.sizes.dst % cache_line_bytes == 0;
            run_kernel(plan, *planned.kernel, streams, reinterpret_cast<const std::byte*>(in.data()),
                       reinterpret_cast<std::byte*>(out.data()));
            INFO(to_string(src), " -> ", to_string(dst), ", ", std::string(to_string(which)), ", ", sizeof(T),
                 " bytes, 2^", plan.pattern.lane_bits, " lanes, 2^", plan.pattern.register_bits,
                 " registers, interleave ", plan.pattern.interleave);
            CHECK(out.same_bytes(wanted));
        }
    }
}

}  // namespace kernels
