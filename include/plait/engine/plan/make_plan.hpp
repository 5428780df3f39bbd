#pragma once
// Makes the plan of a reorder: the bits of the tile, the loops around it, and the axes that are bounded. A tile of a
// plan that is read at run time may take several steps of its innermost loop: `widen_tile`.
//
// Example: f32 nchw -> nChw16c, 17 channels of 56 x 56, AVX-512. The tile is 16 channels by 16 places. Around it are
// loops of 2 steps over channels and 196 steps over places, because 3136 = 196 * 16. Channels are a bound, 17 valid and
// 32 stored, because the tile at channel 16 reaches channel 31. Places are not a bound.

#include <plait/engine/plan/choose_tile.hpp>
#include <plait/engine/plan/network.hpp>
#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/refinement.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// True if the lanes of each segment that count along a bounded axis are one run of rising powers, as masks require.
constexpr bool masks_can_bound(const reorder_plan& plan, int bound) {
    for (const side of : {side::source, side::destination}) {
        const lane_span span = lanes_along(plan.pattern, bound, of);
        for (int lane = span.first; lane < span.first + span.bits; ++lane) {
            const int bit = of == side::source ? lane : plan.pattern.dst_lanes[lane];
            const int lowest = of == side::source ? span.first : plan.pattern.dst_lanes[span.first];
            if (plan.pattern.bounds[bit] != bound || plan.bits[bit].index_step != plan.bits[lowest].index_step
                                                                                      << (lane - span.first))
                return false;
        }
    }
    return true;
}

/// A plan under construction around a tile.
class plan_around_tile {
public:
    constexpr plan_around_tile(reorder_plan& plan, const refinement& r, const tile_choice& tile)
        : plan_(plan), r_(r), tile_(tile) {}

    /// Adds what depends on the tile alone: its pattern, and the steps of each of its bits.
    constexpr void add_tile(const element_sizes& sizes) {
        plan_.src_offset = r_.src_offset;
        plan_.dst_offset = r_.dst_offset;
        plan_.src_end = r_.src_end;
        plan_.uneven_steps = r_.uneven_steps;
        plan_.sizes = sizes;
        plan_.pattern = tile_.pattern;
        plan_.elements = stored_elements(r_);
        for (const node_bit& bit : tile_.bits) {
            const reorder_node& n = r_.nodes[bit.node];
            const dim_t step = dim_t{1} << bit.bit;
            plan_.bits.push_back({n.src * step, n.dst * step, n.index_step * step, n.axis});
        }
        if (tile_.interleaved < 0) return;
        const reorder_node& n = r_.nodes[tile_.interleaved];
        plan_.interleaved = {n.src, n.dst, n.index_step, n.axis};
    }
    /// Adds a loop for what the tile leaves of each node; false if there are too many loops.
    ///
    /// Example: 17 channels, 16 of them in a tile: a loop of 2
    constexpr bool add_loops(bool may_overlap) {
        for (int i = 0; i < r_.nodes.size(); ++i) {
            const reorder_node& n = r_.nodes[i];
            const dim_t step = dim_t{1} << tile_.taken[i];
            // A node without elements keeps its loop, which then never runs.
            loop_of_[i] = i != tile_.interleaved && (n.extent == 0 || n.extent > step) ? plan_.loops.size() : -1;
            if (loop_of_[i] < 0) continue;
            if (plan_.loops.size() == max_loops) return false;
            plan_loop loop{.extent = divide_up(n.extent, step),
                           .src = n.src * step,
                           .dst = n.dst * step,
                           .index_step = n.index_step * step,
                           .is_uneven = n.is_uneven,
                           .axis = n.axis};
            // If an axis has no padding and no other nodes, its last tile may overlap the one before instead of passing
            // the end. With non-temporal stores it may not, because an overlapping tile would not begin at a cache
            // line.
            if (may_overlap && tile_.taken[i] > 0 && r_.is_only_node(n) &&
                (plan_.bytes_moved() < streaming_bytes || r_.half_bytes >= 0)) {
                loop.may_overlap = true;
                loop.overlap = loop.extent * step - n.extent;
                loop.overlap_src = loop.overlap * n.src;
                loop.overlap_dst = loop.overlap * n.dst;
            }
            plan_.loops.push_back(loop);
        }
        return true;
    }
    /// Adds bounds for the axes whose end loops and bits pass: first those of the tile, in the order of its bits. False
    /// if there are too many, or if masks cannot check one.
    constexpr bool add_bounds() {
        for (int b = 0; b < plan_.bits.size(); ++b) plan_.pattern.bounds.push_back(-1);
        for (int b = 0; b < plan_.bits.size(); ++b)
            if (!look_at(r_.nodes[tile_.bits[b].node].axis)) return false;
        for (const reorder_node& node : r_.nodes)
            if (!look_at(node.axis)) return false;
        return true;
    }

private:
    reorder_plan& plan_;
    const refinement& r_;
    const tile_choice& tile_;
    int loop_of_[max_nodes]{};   ///< the loop of each node; -1 if the tile covers all of it
    std::uint64_t looked_at_{};  ///< axes already handled, as a mask

    constexpr bool look_at(int axis) {
        if ((looked_at_ >> axis & 1) != 0) return true;
        looked_at_ |= std::uint64_t{1} << axis;
        return !passes_its_end(axis) || (!plan_.bounds.full() && add_bound(axis));
    }
    constexpr bool passes_its_end(int axis) const {
        if (tile_.interleaved >= 0 && r_.nodes[tile_.interleaved].axis == axis) return false;
        // The product of the extents, 2 * 4 of two nodes, would be wrong: the nodes of a cache block may leave indices
        // out. For example, 5 steps of 2 pass the end 8 at 9 if the node of single steps is not in the cache block.
        dim_t reach = 1;  // 1 + the largest index
        for (int i = 0; i < r_.nodes.size(); ++i) {
            if (r_.nodes[i].axis != axis) continue;
            const dim_t step = dim_t{1} << tile_.taken[i];
            const plan_loop* const loop = loop_of_[i] < 0 ? nullptr : &plan_.loops[loop_of_[i]];
            const dim_t count = loop == nullptr ? step : loop->extent * step - loop->overlap;
            reach += (count - 1) * r_.nodes[i].index_step;
        }
        return reach != r_.bounds[axis].valid || reach != r_.bounds[axis].stored;
    }
    constexpr bool add_bound(int axis) {
        const int bound = plan_.bounds.size();
        plan_.bounds.push_back({r_.bounds[axis].valid, r_.bounds[axis].stored, 1});
        for (int b = 0; b < plan_.bits.size(); ++b)
            if (r_.nodes[tile_.bits[b].node].axis == axis) {
                plan_.pattern.bounds[b] = bound;
                plan_.bounds[bound].reach += plan_.bits[b].index_step;
            }
        for (int i = 0; i < r_.nodes.size(); ++i)
            if (r_.nodes[i].axis == axis && loop_of_[i] >= 0) plan_.loops[loop_of_[i]].bound = bound;
        return masks_can_bound(plan_, bound);
    }
};

/// Makes the plan around a tile. Returns false if masks cannot check an axis, or if more axes would be bounds than a
/// kernel has room for. Tiles overlap only if `may_overlap`.
///
/// Pre:     plan is default-constructed
constexpr bool plan_around(reorder_plan& plan, const refinement& r, const tile_choice& tile, const element_sizes& sizes,
                           bool may_overlap = true) {
    plan_around_tile made(plan, r, tile);
    made.add_tile(sizes);
    if (!made.add_loops(may_overlap) || !made.add_bounds()) return false;
    if (const tile_loops apart = order_loops(plan.loops); apart.along_src >= 0) {
        const bool is_staged = plan.pattern.half_bytes >= 0 && stage_short_runs(plan, apart);
        if (!is_staged && may_stream(plan) && plan.uneven_steps.empty()) order_large_loops(plan);
        else if (!is_staged) order_tile_loops(plan, apart, plan.bytes_moved() >= streaming_bytes);
    }
    if (plan.loops.empty()) plan.loops.push_back({.extent = 1});
    plan.prefetch = prefetch_distance(plan);
    for (const tile_bit& bit : plan.bits)
        plan.source_is_apart = plan.source_is_apart || bit.src >= dim_t{1} << plan.bits.size();
    return true;
}

/// Plans the cheapest tile of vectors; false if there is none. `cost_of_shuffles` returns the cost of the network of a
/// pattern, or -1 if there is none. Before, only a lower bound was known, so the next tile of the queue may be cheaper.
///
/// Pre:     plan is default-constructed
template <class CostOfShuffles>
constexpr bool plan_cheapest_tile(reorder_plan& plan, const refinement& r, const element_sizes& sizes, isa instructions,
                                  network_kind network, const CostOfShuffles& cost_of_shuffles) {
    tile_queue tiles(r, sizes, instructions, network);
    for (;;) {
        const tile_choice* best = nullptr;
        dim_t least = INT64_MAX;
        while (const tile_choice* const tile = tiles.next(least)) {
            const bool interleaves = tile->interleaved >= 0;
            const int steps = interleaves ? 0 : cost_of_shuffles(tile->pattern);
            const dim_t cost =
                interleaves || steps == tile->steps ? tile->cost : cost_of(*tile, r, sizes, instructions, steps);
            if (steps < 0 || cost >= least) continue;
            best = tile;
            least = cost;
        }
        if (best == nullptr) return false;
        if (plan_around(plan, r, *best, sizes)) return true;
        plan = {};
        tiles.restart_without(*best);
    }
}

/// Returns the plan for an instruction set, with the cheapest tile that the shuffles can bring into place. Empty if the
/// layouts have no common refinement, or have more bounds than a kernel has room for.
///
/// Pre:     check_reorder(src, dst).ok()
/// Post:    the tile's indices and the loops' cover refine(src, dst), each index below `stored` at least once
/// Cost:    some microseconds at run time
constexpr std::optional<reorder_plan> make_plan(const refinement& r, const element_sizes& sizes, isa instructions) {
    const auto cost_of_shuffles = [&](const tile_pattern& pattern) {
        const auto network = find_network(pattern, rules_of(instructions, sizes.work, pattern.lane_bits));
        return network ? cost_of_network(*network, instructions, sizes.work) : -1;
    };
    std::optional<reorder_plan> out;
    reorder_plan& plan = out.emplace();
    // Without lanes, a tile is one element.
    if (!plan_cheapest_tile(plan, r, sizes, instructions, network_kind::constant, cost_of_shuffles) &&
        !plan_around(plan, r, choose_one_element(r, sizes, instructions), sizes))
        out.reset();
    return out;
}
constexpr std::optional<reorder_plan> make_plan(const layout& src, const layout& dst, const element_sizes& sizes,
                                                isa instructions) {
    std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    continue_source(*refined, sizes.dst);
    return make_plan(coalesce(*refined), sizes, instructions);
}

/// Returns the plan whose tile is one element. If there is one, make_plan succeeds for every instruction set.
constexpr std::optional<reorder_plan> make_scalar_plan(const layout& src, const layout& dst,
                                                       const element_sizes& sizes) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    const refinement r = coalesce(*refined);
    std::optional<reorder_plan> plan;
    if (!plan_around(plan.emplace(), r, choose_one_element(r, sizes, isa::portable), sizes)) plan.reset();
    return plan;
}

// Tiles of few registers take several steps of the innermost loop at a time. A kernel that reads its plan at run time
// looks at the plan once for each tile, which takes as long as moving two registers.
//
// Example: u8 nhwc -> nchw of 4 channels with AVX-512, 64 pixels a tile: four registers, and a loop of 784 tiles for 224
// x 224 pixels. Tiles of 128 pixels have eight registers, and the loop has 392 steps.

/// True if the lanes of a tile are the same on both sides, in order: its registers are copied.
constexpr bool copies_registers(const tile_pattern& pattern) {
    if (pattern.segment_bits(side::source) != pattern.lane_bits || pattern.dst_lanes.size() != pattern.lane_bits)
        return false;
    for (int lane = 0; lane < pattern.lane_bits; ++lane)
        if (pattern.dst_lanes[lane] != lane) return false;
    return true;
}

/// Returns the number of steps of the innermost loop that a tile can take at a time, as log2: those that make a tile of
/// 8 registers of it, if few steps are then taken twice.
constexpr int steps_of_wider_tile(const reorder_plan& plan) {
    const tile_pattern& pattern = plan.pattern;
    constexpr int wider_register_bits = 3;
    if (!pattern.has_vectors() || pattern.interleave != 0 || pattern.half_bytes >= 0 || copies_registers(pattern) ||
        !plan.bounds.empty() || !plan.uneven_steps.empty() || plan.staged_from >= 0 || plan.loops.empty())
        return 0;
    const int in = pattern.segments(side::source), out = pattern.segments(side::destination),
              possible =
                  most_register_bits(network_kind::table, plan.sizes.work << pattern.lane_bits, in > out ? in : out),
              wanted = possible < wider_register_bits ? possible : wider_register_bits;
    const plan_loop& loop = plan.loops.back();
    for (int bits = wanted - pattern.register_bits; bits > 0; --bits) {
        const dim_t steps = dim_t{1} << bits, twice = divide_up(loop.extent, steps) * steps - loop.extent;
        const bool is_even = twice == 0 && loop.overlap == 0;
        if (is_even ? loop.extent >= steps : loop.may_overlap && loop.extent >= 8 * steps) return bits;
    }
    return 0;
}

/// Makes a tile of few registers take several steps of the innermost loop at a time.
///
/// Post:    moves the same elements from and to the same places, some of them twice
constexpr void widen_tile(reorder_plan& plan) {
    const int bits = steps_of_wider_tile(plan);
    if (bits == 0) return;
    const plan_loop inner = cut_off(plan.loops[plan.loops.size() - 1], dim_t{1} << bits);
    for (int k = 0; k < bits; ++k) {
        plan.bits.push_back({inner.src << k, inner.dst << k, inner.index_step << k, inner.axis});
        plan.pattern.bounds.push_back(-1);
    }
    plan.pattern.register_bits += bits;
    plan.prefetch = prefetch_distance(plan);
}

}  // namespace plait::engine
