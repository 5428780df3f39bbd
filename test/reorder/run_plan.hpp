#pragma once
// What a plan says, done without registers.

#include <plait/reorder/make_plan.hpp>

#include <vector>

namespace plait {

/// Runs a plan element by element, without registers: the tile's bits and the loops, within the limits. Counts how
/// often each place of the destination is stored.
inline std::vector<int> run(const reorder_plan& plan, const layout& dst, const std::vector<int>& in,
                            std::vector<int>& out) {
    std::vector<int> stored(dst.element_span() + static_cast<std::size_t>(dst.offset0));
    std::vector<dim_t> at(static_cast<std::size_t>(plan.loops.size()));
    for (const plan_loop& loop : plan.loops)
        if (loop.extent == 0) return stored;
    while (true) {
        dim_t src = plan.src_offset, to = plan.dst_offset, index[max_limits]{};
        for (int k = 0; k < plan.loops.size(); ++k) {
            const plan_loop& loop = plan.loops[k];
            const dim_t step = at[static_cast<std::size_t>(k)];
            src += step * loop.src;
            to += step * loop.dst;
            for (const step_carry& carry : loop.carries) {
                src += step / carry.period * carry.src;
                to += step / carry.period * carry.dst;
            }
            if (loop.limit >= 0) index[loop.limit] += step * loop.weight;
            if (step + 1 != loop.extent) continue;
            src -= loop.back_src;
            to -= loop.back_dst;
            if (loop.limit >= 0) index[loop.limit] -= loop.back;
        }
        for (int element = 0; element < 1 << plan.bits.size(); ++element) {
            dim_t from_here = src, to_here = to, here[max_limits];
            for (int x = 0; x < max_limits; ++x) here[x] = index[x];
            for (int b = 0; b < plan.bits.size(); ++b) {
                if ((element >> b & 1) == 0) continue;
                from_here += plan.bits[b].src;
                to_here += plan.bits[b].dst;
                if (plan.pattern.limits[b] >= 0) here[plan.pattern.limits[b]] += plan.bits[b].weight;
            }
            bool valid = true, kept = true;
            for (int x = 0; x < plan.limits.size(); ++x) {
                valid = valid && here[x] < plan.limits[x].valid;
                kept = kept && here[x] < plan.limits[x].stored;
            }
            for (int c = 0; kept && c < (plan.pattern.interleave != 0 ? plan.pattern.interleave : 1); ++c) {
                ++stored[static_cast<std::size_t>(to_here)];
                out[static_cast<std::size_t>(to_here)] = valid ? in[static_cast<std::size_t>(from_here)] : 0;
                from_here += plan.interleaved.src;
                to_here += plan.interleaved.dst;
            }
        }
        int k = plan.loops.size() - 1;
        for (; k >= 0; --k) {
            if (++at[static_cast<std::size_t>(k)] < plan.loops[k].extent) break;
            at[static_cast<std::size_t>(k)] = 0;
        }
        if (k < 0) return stored;
    }
}

}  // namespace plait
