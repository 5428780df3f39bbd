#pragma once
// Runs plans without registers or instructions.

#include <plait/engine/plan/make_plan.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>
#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace plait_test {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

struct plan_run {
    std::vector<int> stored;  ///< how often each place of the destination is stored
    bool is_aligned = true;   ///< each piece that is stored begins where line_alignment() says
};

/// Runs a plan element by element, without registers: the tile's bits and the loops, within the limits.
inline plan_run run_plan(const reorder_plan& plan, const layout& dst, const std::vector<int>& in,
                         std::vector<int>& out) {
    plan_run result{std::vector<int>(dst.element_span() + static_cast<std::size_t>(dst.offset0)), true};
    const dim_t piece = dim_t{1} << plan.pattern.dst_lanes.size(),
                alignment = plan.line_alignment() < piece ? plan.line_alignment() : piece;
    int inside_piece = 0;  // the bits that count lanes of one
    for (const int bit : plan.pattern.dst_lanes) inside_piece |= 1 << bit;
    const bool collects = plan.pattern.interleave != 0 && !plan.pattern.interleaves_source;
    std::vector<dim_t> at(static_cast<std::size_t>(plan.loops.size()));
    for (const plan_loop& loop : plan.loops)
        if (loop.extent == 0) return result;
    while (true) {
        dim_t src = plan.src_offset, to = plan.dst_offset, index[max_bounds]{};
        for (int k = 0; k < plan.loops.size(); ++k) {
            const plan_loop& loop = plan.loops[k];
            const dim_t step = at[static_cast<std::size_t>(k)];
            src += step * loop.src;
            to += step * loop.dst;
            for (const uneven_step& carry : plan.uneven_steps) {
                if (!loop.is_uneven || carry.axis != loop.axis) continue;
                src += step / carry.period * carry.src;
                to += step / carry.period * carry.dst;
            }
            if (loop.bound >= 0) index[loop.bound] += step * loop.index_step;
            if (step + 1 != loop.extent) continue;
            src -= loop.overlap_src;
            to -= loop.overlap_dst;
            if (loop.bound >= 0) index[loop.bound] -= loop.overlap;
        }
        for (int element = 0; element < 1 << plan.bits.size(); ++element) {
            dim_t from_here = src, to_here = to, here[max_bounds];
            for (int x = 0; x < max_bounds; ++x) here[x] = index[x];
            for (int b = 0; b < plan.bits.size(); ++b) {
                if ((element >> b & 1) == 0) continue;
                from_here += plan.bits[b].src;
                to_here += plan.bits[b].dst;
                if (plan.pattern.bounds[b] >= 0) here[plan.pattern.bounds[b]] += plan.bits[b].index_step;
            }
            bool valid = true, kept = true;
            for (int x = 0; x < plan.bounds.size(); ++x) {
                valid = valid && here[x] < plan.bounds[x].valid;
                kept = kept && here[x] < plan.bounds[x].stored;
            }
            for (int c = 0; kept && c < (plan.pattern.interleave != 0 ? plan.pattern.interleave : 1); ++c) {
                ++result.stored.at(static_cast<std::size_t>(to_here));
                if ((element & inside_piece) == 0 && !(collects && c > 0))
                    result.is_aligned = result.is_aligned && to_here % alignment == 0;
                out.at(static_cast<std::size_t>(to_here)) = valid ? in.at(static_cast<std::size_t>(from_here)) : 0;
                from_here += plan.interleaved.src;
                to_here += plan.interleaved.dst;
            }
        }
        int k = plan.loops.size() - 1;
        for (; k >= 0; --k) {
            if (++at[static_cast<std::size_t>(k)] < plan.loops[k].extent) break;
            at[static_cast<std::size_t>(k)] = 0;
        }
        if (k < 0) return result;
    }
}

/// The required result of a reorder, for a source whose element number i is i + 1 and a destination filled with -1;
/// gaps between elements are not compared.
struct wanted_result {
    std::vector<int> in, out;

    wanted_result(const layout& src, const layout& dst)
        : in(src.element_span() + static_cast<std::size_t>(src.offset0)),
          out(dst.element_span() + static_cast<std::size_t>(dst.offset0), -1) {
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) + 1;
        for (dim_t number = 0; number < dst.padded_volume(); ++number) {
            const position padded = unravel(dst.padded_dims, number);
            bool inside = true;
            for (int a = 0; a < dst.ndims(); ++a) inside = inside && padded[a] < dst.dims[a];
            out[static_cast<std::size_t>(dst.padded_offset(padded))] =
                inside ? in[static_cast<std::size_t>(src.offset(padded))] : 0;
        }
    }
};

inline std::string text_of(const layout& l) {
    std::string out = to_string(l) + " offset0 " + std::to_string(l.offset0) + " padded " + to_string(l.padded_dims);
    for (const digit& d : l.digits)
        out += " (" + std::to_string(d.axis) + ' ' + std::to_string(d.extent) + ' ' + std::to_string(d.stride) + ')';
    return out;
}

/// Checks that a plan stores every padded element of the destination at least once with the right value, and nothing
/// else, and that its network is correct. `open`: in the form for kernels that read it.
inline void plan_moves_everything(const wanted_result& wanted, const layout& src, const layout& dst, isa which,
                                  const element_sizes& sizes, bool open = false) {
    auto plan = make_plan(src, dst, sizes, which);
    if (plan && open) plan = run_time_form(*plan);
    INFO(text_of(src), " -> ", text_of(dst), " ", std::string(to_string(which)), " ", sizes.src, " -> ", sizes.dst,
         " bytes");
    REQUIRE(plan);
    CHECK(plan->elements == dst.padded_volume());
    std::vector<int> out(wanted.out.size(), -1);
    const auto [stored, is_aligned] = run_plan(*plan, dst, wanted.in, out);
    CHECK(out == wanted.out);
    CHECK(is_aligned);
    bool stores_what_it_should = true;  // tiles that overlap store some twice
    for (std::size_t i = 0; i < out.size(); ++i)
        stores_what_it_should = stores_what_it_should && (stored[i] > 0) == (wanted.out[i] >= 0);
    CHECK(stores_what_it_should);

    const tile_pattern& pattern = plan->pattern;
    CHECK(pattern.register_bits <= max_register_bits);
    CHECK(pattern.lanes() * sizes.work <= vector_bytes(which));
    const auto network = find_network(pattern, rules_of(which, sizes.work, pattern.lane_bits));
    REQUIRE(network);
    bit_positions places(pattern);
    for (const shuffle_step& step : network->steps) places.apply(step);
    for (int lane = 0; lane < pattern.dst_lanes.size(); ++lane) CHECK(places.lanes[lane] == pattern.dst_lanes[lane]);
}

inline void plan_moves_everything(const layout& src, const layout& dst) {
    const wanted_result wanted(src, dst);
    for (const isa which : every_isa)
        for (const int bytes : {1, 2, 4, 8})
            plan_moves_everything(wanted, src, dst, which, element_sizes(bytes), bytes == 1 || bytes == 4);
}

}  // namespace plait_test
