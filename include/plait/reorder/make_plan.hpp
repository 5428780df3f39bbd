#pragma once
// How a reorder is planned: which bits make the tile, which loops go around it, which axes are watched.

#include <plait/reorder/plan.hpp>

namespace plait {

/// The lanes of a register on one side: the bits of the nodes that lie densely in memory there, innermost first.
struct lane_choice {
    struct part {
        int node = 0;
        int bits = 0;
    };
    inline_list<part, 6> parts;
    int bits = 0;
};

/// Picks up to `wanted` lane bits. A node that is too short, and no power of two, fills its last bit only in part.
constexpr lane_choice choose_lanes(const refinement& r, bool source, int wanted) {
    lane_choice out;
    dim_t stride = 1;
    while (out.bits < wanted) {
        int next = -1;
        for (int i = 0; i < r.nodes.size(); ++i)
            if ((source ? r.nodes[i].src : r.nodes[i].dst) == stride && r.nodes[i].extent > 1) next = i;
        if (next < 0) break;
        const dim_t extent = r.nodes[next].extent;
        int bits = 0;
        while (out.bits + bits < wanted && bits < r.splittable_bits(next) && dim_t{1} << bits < extent) ++bits;
        if (bits == 0) break;
        out.parts.push_back({next, bits});
        out.bits += bits;
        if (dim_t{1} << bits != extent) break;
        stride *= extent;
    }
    return out;
}

/// Orders the loops: those that step least on either side innermost, so that a cache line is used up while it is there;
/// among equals the shortest innermost.
constexpr void order_loops(inline_list<plan_loop, max_loops>& loops) {
    const auto step = [](const plan_loop& loop) { return loop.src < loop.dst ? loop.src : loop.dst; };
    for (int i = 1; i < loops.size(); ++i)
        for (int j = i; j > 0; --j) {
            const plan_loop outer = loops[j - 1], inner = loops[j];
            const bool right = step(outer) != step(inner) ? step(outer) > step(inner) : outer.extent >= inner.extent;
            if (right) break;
            loops[j - 1] = inner;
            loops[j] = outer;
        }
}

/// Whether the lanes of each side that count along a watched axis are one run of rising powers, as masks want them.
constexpr bool masks_can_watch(const reorder_plan& plan, int limit) {
    for (const bool source : {true, false}) {
        const lane_span span = lanes_along(plan.pattern, limit, source);
        for (int lane = span.first; lane < span.first + span.bits; ++lane) {
            const int bit = source ? lane : plan.pattern.dst_lanes[lane];
            const int lowest = source ? span.first : plan.pattern.dst_lanes[span.first];
            if (plan.pattern.limits[bit] != limit || plan.bits[bit].weight != plan.bits[lowest].weight
                                                                                  << (lane - span.first))
                return false;
        }
    }
    return true;
}

/// The plan with tiles of 2^lane_bits lanes; empty where that does not fit the layouts or the shuffles. `watch_tile`
/// watches the axes of the tile also where they end with a tile, so that fewer patterns differ.
constexpr std::optional<reorder_plan> plan_with_lanes(const refinement& r, int element_bytes, int lane_bits,
                                                      const shuffle_rules& rules, bool watch_tile) {
    reorder_plan plan;
    plan.src_offset = r.src_offset;
    plan.dst_offset = r.dst_offset;
    plan.element_bytes = element_bytes;
    plan.pattern.lane_bits = lane_bits;
    const lane_choice from = choose_lanes(r, true, lane_bits), to = choose_lanes(r, false, lane_bits);
    if (from.bits < lane_bits || to.bits < lane_bits) return std::nullopt;

    // The bits of the tile: the source's lanes, then those of the destination's lanes that are not among them.
    int taken[max_nodes]{};  // bits taken of each node
    inline_list<int, max_tile_bits> node_of;
    const auto take = [&](int node) {
        const reorder_node& n = r.nodes[node];
        const dim_t step = dim_t{1} << taken[node]++;
        plan.bits.push_back({n.src * step, n.dst * step, n.weight * step});
        node_of.push_back(node);
    };
    for (const lane_choice::part& part : from.parts)
        for (int b = 0; b < part.bits; ++b) take(part.node);
    for (const lane_choice::part& part : to.parts)
        while (taken[part.node] < part.bits) {
            if (plan.bits.size() == lane_bits + max_register_bits) return std::nullopt;
            take(part.node);
        }
    // More registers, until a tile writes whole cache lines: shorter vectors then leave none half written, and a tile
    // that shuffles nothing has some work to it.
    const int line_bits = log2_of(cache_line_bytes / element_bytes);
    if (lane_bits > 0)
        for (const lane_choice::part& part :
             choose_lanes(r, false, lane_bits == line_bits ? line_bits + 1 : line_bits).parts)
            while (taken[part.node] < part.bits && r.nodes[part.node].extent >= dim_t{2} << taken[part.node] &&
                   plan.bits.size() < lane_bits + max_register_bits)
                take(part.node);
    plan.pattern.register_bits = plan.bits.size() - lane_bits;
    for (const lane_choice::part& part : to.parts)
        for (int b = 0, seen = 0; seen < part.bits; ++b)
            if (node_of[b] == part.node) {
                plan.pattern.dst_lanes.push_back(b);
                ++seen;
            }
    if (!find_network(plan.pattern, rules)) return std::nullopt;

    plan.elements = 1;
    for (int a = 0; a < r.limits.size(); ++a)
        for (const reorder_node& n : r.nodes)
            if (n.axis == a) {
                plan.elements *= r.limits[a].stored;
                break;
            }
    int loop_of[max_nodes]{};  // the loop of each node; -1 where the tile has all of it
    for (int i = 0; i < r.nodes.size(); ++i) {
        const reorder_node& n = r.nodes[i];
        const dim_t step = dim_t{1} << taken[i];
        // A node without steps keeps its loop, which then never runs.
        loop_of[i] = n.extent == 0 || n.extent > step ? plan.loops.size() : -1;
        if (loop_of[i] < 0) continue;
        if (plan.loops.full()) return std::nullopt;
        plan_loop loop{divide_up(n.extent, step), n.src * step, n.dst * step, -1, n.weight * step};
        // The last tile of an axis that has no padding and no other nodes may overlap the one before instead of passing
        // the end. Not where tiles are stored past the cache: overlapping ones would not begin at a cache line.
        if (taken[i] > 0 && r.is_only_node(n) && plan.bytes_moved() < streaming_bytes) {
            loop.back = loop.extent * step - n.extent;
            loop.back_src = loop.back * n.src;
            loop.back_dst = loop.back * n.dst;
        }
        plan.loops.push_back(loop);
    }
    // An axis is watched where its loops and bits reach beyond a limit; those of the tile come first, as its bits do.
    for (int b = 0; b < plan.bits.size(); ++b) plan.pattern.limits.push_back(-1);
    const auto watch = [&](int axis) {
        const int limit = plan.limits.size();
        plan.limits.push_back({r.limits[axis].valid, r.limits[axis].stored, 1});
        for (int b = 0; b < plan.bits.size(); ++b)
            if (r.nodes[node_of[b]].axis == axis) {
                plan.pattern.limits[b] = limit;
                plan.limits[limit].reach += plan.bits[b].weight;
            }
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].axis == axis && loop_of[i] >= 0) plan.loops[loop_of[i]].limit = limit;
        return masks_can_watch(plan, limit);
    };
    const auto passes_its_end = [&](int axis) {
        dim_t reach = 1;
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].axis == axis) {
                const dim_t step = dim_t{1} << taken[i];
                reach *= loop_of[i] < 0 ? step : plan.loops[loop_of[i]].extent * step - plan.loops[loop_of[i]].back;
            }
        return reach != r.limits[axis].valid || reach != r.limits[axis].stored;
    };
    std::uint64_t seen = 0;
    const auto look_at = [&](int axis, bool in_tile) {
        if ((seen >> axis & 1) != 0) return true;
        seen |= std::uint64_t{1} << axis;
        if (!passes_its_end(axis) && !(in_tile && watch_tile)) return true;
        return !plan.limits.full() && watch(axis);
    };
    for (int b = 0; b < plan.bits.size(); ++b)
        if (!look_at(r.nodes[node_of[b]].axis, true)) return std::nullopt;
    for (const reorder_node& node : r.nodes)
        if (!look_at(node.axis, false)) return std::nullopt;
    order_loops(plan.loops);
    if (plan.loops.empty()) plan.loops.push_back({1, 0, 0, -1, 0});
    // Only along a loop so long that what lies ahead is nearly always needed. Eight tiles: measured, 4 to 16 are alike.
    if (plan.loops.back().extent >= 64) plan.prefetch = 8 * plan.loops.back().src;
    for (const tile_bit& bit : plan.bits)
        plan.source_is_apart = plan.source_is_apart || bit.src >= dim_t{1} << plan.bits.size();
    return plan;
}

/// The plan for an instruction set: as many lanes as the layouts fill on both sides, the shuffles can bring into place
/// and `accept` takes. Empty where the layouts have no common refinement, or more limits than a kernel watches.
///
/// Pre:     check_reorder(src, dst).ok()
/// Post:    the tile's indices and the loops' cover refine(src, dst), each index below `stored` at least once
/// Cost:    some microseconds at run time
template <class Accept>
constexpr std::optional<reorder_plan> make_plan(const layout& src, const layout& dst, int element_bytes, isa which,
                                                Accept accept, bool watch_tile) {
    const std::optional<refinement> refined = refine(src, dst);
    if (!refined) return std::nullopt;
    const refinement r = coalesce(*refined);
    const int most = log2_of(vector_bytes(which) / element_bytes);
    for (int lane_bits = most < max_register_bits ? most : max_register_bits; lane_bits >= 0; --lane_bits) {
        // A register narrower than 128 bits is no vector; without lanes the tile is one element.
        if (lane_bits > 0 && element_bytes << lane_bits < 16) continue;
        const auto plan =
            plan_with_lanes(r, element_bytes, lane_bits, rules_of(which, element_bytes, lane_bits), watch_tile);
        if (plan && accept(*plan)) return plan;
    }
    return std::nullopt;
}
constexpr std::optional<reorder_plan> make_plan(const layout& src, const layout& dst, int element_bytes, isa which,
                                                bool watch_tile = false) {
    return make_plan(
        src, dst, element_bytes, which, [](const reorder_plan&) { return true; }, watch_tile);
}

/// The plan whose tile is one element. Where there is one, make_plan has one for every instruction set.
constexpr std::optional<reorder_plan> make_scalar_plan(const layout& src, const layout& dst, int element_bytes) {
    const std::optional<refinement> refined = refine(src, dst);
    return refined ? plan_with_lanes(coalesce(*refined), element_bytes, 0, {}, false) : std::nullopt;
}

}  // namespace plait
