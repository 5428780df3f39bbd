#pragma once
// How a reorder is planned: which bits make the tile, which loops go around it, which axes are bounded.

#include <plait/engine/plan/network.hpp>
#include <plait/engine/plan/order_loops.hpp>
#include <plait/engine/plan/tile_queue.hpp>

#include <optional>

namespace plait::engine {

/// Whether the lanes of each segment that count along a bounded axis are one run of rising powers, as masks want them.
constexpr bool masks_can_bound(const reorder_plan& plan, int bound) {
    for (const bool source : {true, false}) {
        const lane_span span = lanes_along(plan.pattern, bound, source);
        for (int lane = span.first; lane < span.first + span.bits; ++lane) {
            const int bit = source ? lane : plan.pattern.dst_lanes[lane];
            const int lowest = source ? span.first : plan.pattern.dst_lanes[span.first];
            if (plan.pattern.bounds[bit] != bound || plan.bits[bit].index_step != plan.bits[lowest].index_step
                                                                                      << (lane - span.first))
                return false;
        }
    }
    return true;
}

/// How far ahead a kernel that stores past the cache asks for its source. Measured: along a loop so long that what lies
/// ahead is nearly always needed eight tiles, 4 to 16 are alike; where the innermost loop jumps, four cache lines along
/// the next.
constexpr dim_t prefetch_distance(const reorder_plan& plan) {
    const plan_loop& inner = plan.loops.back();
    if (plan.loops.size() >= 2) {
        const plan_loop& next = plan.loops[plan.loops.size() - 2];
        if (next.src > 0 && next.src < inner.src && next.extent >= 16) return 4 * cache_line_bytes / plan.sizes.src;
    }
    return inner.extent >= 64 ? 8 * inner.src : 0;
}

/// Makes the plan around a tile; false where masks cannot watch it, or more axes would be than a kernel watches. No
/// tile overlaps another unless `may_overlap`.
///
/// Pre:     plan is as it is made
constexpr bool plan_around(reorder_plan& plan, const refinement& r, const tile_choice& tile, const element_sizes& sizes,
                           bool may_overlap = true) {
    plan.src_offset = r.src_offset;
    plan.dst_offset = r.dst_offset;
    plan.src_end = r.src_end;
    plan.uneven_steps = r.uneven_steps;
    plan.sizes = sizes;
    plan.pattern = tile.pattern;
    const auto& taken = tile.taken;
    for (const node_bit& bit : tile.bits) {
        const reorder_node& n = r.nodes[bit.node];
        const dim_t step = dim_t{1} << bit.bit;
        plan.bits.push_back({n.src * step, n.dst * step, n.index_step * step, n.axis});
    }
    if (tile.interleaved >= 0) {
        const reorder_node& n = r.nodes[tile.interleaved];
        plan.interleaved = {n.src, n.dst, n.index_step, n.axis};
    }
    plan.elements = 1;
    std::uint64_t counted = 0;  // the axes, each once
    for (const reorder_node& n : r.nodes) {
        if ((counted >> n.axis & 1) == 0) plan.elements *= r.bounds[n.axis].stored;
        counted |= std::uint64_t{1} << n.axis;
    }
    int loop_of[max_nodes]{};  // the loop of each node; -1 where the tile has all of it
    for (int i = 0; i < r.nodes.size(); ++i) {
        const reorder_node& n = r.nodes[i];
        const dim_t step = dim_t{1} << taken[i];
        // A node without steps keeps its loop, which then never runs.
        loop_of[i] = i != tile.interleaved && (n.extent == 0 || n.extent > step) ? plan.loops.size() : -1;
        if (loop_of[i] < 0) continue;
        if (plan.loops.size() == max_loops) return false;
        plan_loop loop{divide_up(n.extent, step),
                       n.src * step,
                       n.dst * step,
                       -1,
                       n.index_step * step,
                       0,
                       0,
                       0,
                       n.is_uneven,
                       n.axis,
                       false};
        // The last tile of an axis that has no padding and no other nodes may overlap the one before instead of passing
        // the end. Not where tiles are stored past the cache: overlapping ones would not begin at a cache line.
        if (may_overlap && taken[i] > 0 && r.is_only_node(n) && plan.bytes_moved() < streaming_bytes) {
            loop.may_overlap = true;
            loop.overlap = loop.extent * step - n.extent;
            loop.overlap_src = loop.overlap * n.src;
            loop.overlap_dst = loop.overlap * n.dst;
        }
        plan.loops.push_back(loop);
    }
    // An axis is bounded where its loops and bits reach beyond a bound; those of the tile come first, as its bits do.
    for (int b = 0; b < plan.bits.size(); ++b) plan.pattern.bounds.push_back(-1);
    const auto add_bound = [&](int axis) {
        const int bound = plan.bounds.size();
        plan.bounds.push_back({r.bounds[axis].valid, r.bounds[axis].stored, 1});
        for (int b = 0; b < plan.bits.size(); ++b)
            if (r.nodes[tile.bits[b].node].axis == axis) {
                plan.pattern.bounds[b] = bound;
                plan.bounds[bound].reach += plan.bits[b].index_step;
            }
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].axis == axis && loop_of[i] >= 0) plan.loops[loop_of[i]].bound = bound;
        return masks_can_bound(plan, bound);
    };
    const auto passes_its_end = [&](int axis) {
        if (tile.interleaved >= 0 && r.nodes[tile.interleaved].axis == axis) return false;
        // Not the product of what the nodes count, 2 * 4 of two nodes: the nodes of a panel may leave indices out, as 5
        // steps of 2 do that pass the end 8 at 9, when the node of single steps is not in the panel.
        dim_t reach = 1;  // 1 + the largest index
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].axis == axis) {
                const dim_t step = dim_t{1} << taken[i];
                const dim_t count =
                    loop_of[i] < 0 ? step : plan.loops[loop_of[i]].extent * step - plan.loops[loop_of[i]].overlap;
                reach += (count - 1) * r.nodes[i].index_step;
            }
        return reach != r.bounds[axis].valid || reach != r.bounds[axis].stored;
    };
    std::uint64_t seen = 0;
    const auto look_at = [&](int axis) {
        if ((seen >> axis & 1) != 0) return true;
        seen |= std::uint64_t{1} << axis;
        return !passes_its_end(axis) || (!plan.bounds.full() && add_bound(axis));
    };
    for (int b = 0; b < plan.bits.size(); ++b)
        if (!look_at(r.nodes[tile.bits[b].node].axis)) return false;
    for (const reorder_node& node : r.nodes)
        if (!look_at(node.axis)) return false;
    if (const tile_loops apart = order_loops(plan.loops); apart.along_src >= 0) order_tile_loops(plan, apart);
    if (plan.loops.empty()) plan.loops.push_back({1, 0, 0, -1, 0, 0, 0, 0, false, -1, false});
    plan.prefetch = prefetch_distance(plan);
    for (const tile_bit& bit : plan.bits)
        plan.source_is_apart = plan.source_is_apart || bit.src >= dim_t{1} << plan.bits.size();
    return true;
}

/// The plan for an instruction set: around the cheapest tile that the shuffles can bring into place and `accept` takes.
/// Empty where the layouts have no common refinement, or more bounds than a kernel watches.
///
/// Pre:     check_reorder(src, dst).ok()
/// Post:    the tile's indices and the loops' cover refine(src, dst), each index below `stored` at least once
/// Cost:    some microseconds at run time
template <class Accept>
constexpr std::optional<reorder_plan> make_plan(const refinement& r, const element_sizes& sizes, isa which,
                                                Accept accept, bool may_overlap = true) {
    // The search says how many steps a tile takes, which at least were known before: the next may be cheaper.
    std::optional<reorder_plan> best;
    dim_t least = 0;
    tile_queue tiles(r, sizes, which);
    while (const tile_choice* const next = best ? tiles.next(least) : tiles.next()) {
        const tile_choice& tile = *next;
        const auto network = find_network(tile.pattern, rules_of(which, sizes.work, tile.pattern.lane_bits));
        if (!network) continue;
        int steps = 0;
        for (const shuffle_step& step : network->steps) steps += cost_of_step(step.rule.first, sizes.work);
        const dim_t cost = tile.interleaved >= 0 ? 0 : cost_of(tile, r, sizes, which, steps);
        if (best && cost >= least) continue;
        reorder_plan plan;
        if (!plan_around(plan, r, tile, sizes, may_overlap) || !accept(plan)) continue;
        best = plan;
        least = cost;
    }
    if (best) return best;
    // Without lanes: a tile is one element.
    reorder_plan& plan = best.emplace();
    if (!plan_around(plan, r, choose_one_element(r, sizes, which), sizes, may_overlap) || !accept(plan)) best.reset();
    return best;
}
constexpr std::optional<reorder_plan> make_plan(const layout& src, const layout& dst, const element_sizes& sizes,
                                                isa which) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    return make_plan(coalesce(*refined), sizes, which, [](const reorder_plan&) { return true; });
}

/// The plan whose tile is one element. Where there is one, make_plan has one for every instruction set.
constexpr std::optional<reorder_plan> make_scalar_plan(const layout& src, const layout& dst,
                                                       const element_sizes& sizes) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    const refinement r = coalesce(*refined);
    std::optional<reorder_plan> plan;
    if (!plan_around(plan.emplace(), r, choose_one_element(r, sizes, isa::portable), sizes)) plan.reset();
    return plan;
}

}  // namespace plait::engine
