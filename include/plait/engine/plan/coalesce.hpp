#pragma once
// Simplifies the loop nest of a pair of layouts: as few loops as possible, and as few as possible that end early.
//
// Examples:
// abcd of 2 x 40 x 5 x 4 in aBcd16b: c and d become one node of 20, because they are neighbours on both sides.
// nChw8c to nChw16c, 40 channels stored as 48: they are five and six blocks of 8, so nothing ends inside 8 channels.

#include <plait/engine/plan/refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Gives each node of an axis whose index step is below `unit` an axis of its own, of the node's extent. The other
/// nodes of the axis then count units.
constexpr void separate_nodes(refinement& r, int axis, dim_t unit) {
    for (reorder_node& node : r.nodes) {
        if (node.axis != axis) continue;
        if (node.index_step >= unit) {
            node.index_step /= unit;
        } else {
            node.axis = r.bounds.size();
            node.index_step = 1;
            r.bounds.push_back({node.extent, node.extent});
        }
    }
}

/// Returns the size of the largest blocks of an axis that neither bound cuts and that other nodes count; 1 if there are
/// none.
///
/// Example: 40 channels, stored as 48, with nodes of 2, 4 and 6: blocks of 8; blocks of 4 if 36 are valid
constexpr dim_t uncut_block(const refinement& r, int axis) {
    const axis_bound& bound = r.bounds[axis];
    const auto is_counted = [&](dim_t index_step) {
        for (const reorder_node& n : r.nodes)
            if (n.axis == axis && n.index_step == index_step && n.extent > 1) return true;
        return false;
    };
    dim_t block = 1;
    for (int i = 0; i < r.nodes.size(); ++i) {
        const reorder_node& n = r.nodes[i];
        if (n.axis != axis || n.index_step != block || n.extent <= 1 || n.is_uneven) continue;
        const dim_t more = block * n.extent;
        if (bound.valid % more != 0 || bound.stored % more != 0 || !is_counted(more)) break;
        block = more;
        i = -1;
    }
    return block;
}

/// Gives the nodes inside blocks that no bound cuts axes of their own, which have no partial end. The other nodes count
/// blocks. Skips the axes in the mask `kept`. Returns false if there are no such blocks.
constexpr bool separate_uncut_blocks(refinement& r, int kept) {
    bool found = false;
    for (int a = 0, axes = r.bounds.size(); a < axes; ++a) {
        const dim_t block = a < max_ndims && (kept >> a & 1) != 0 ? 1 : uncut_block(r, a);
        if (block == 1) continue;
        separate_nodes(r, a, block);
        r.bounds[a] = {r.bounds[a].valid / block, r.bounds[a].stored / block};
        found = true;
    }
    return found;
}

/// Joins nodes that are neighbours in memory on both sides. Nodes of one axis are always joined. Nodes of different
/// axes are joined if both end exactly at their bounds and neither axis is in the mask `kept`.
constexpr void join_nodes(refinement& r, int kept) {
    const auto is_kept = [kept](int axis) { return axis < max_ndims && (kept >> axis & 1) != 0; };
    // Nodes of different axes must each be the only node of their axis: other nodes would count towards bounds that
    // are gone. After each join the search begins again (`i = -1`). All pairs of nodes before `tried` were compared
    // already, so these nodes are compared only with the one that grew.
    for (int i = 0, tried = 0, grown = -1; i < r.nodes.size(); ++i)
        for (int j = i < tried && i != grown ? grown : 0; j < r.nodes.size(); ++j) {
            if (i < tried && i != grown && j > grown) break;
            const reorder_node &outer = r.nodes[i], &inner = r.nodes[j];
            if (outer.src != inner.src * inner.extent || outer.dst != inner.dst * inner.extent || i == j ||
                outer.is_uneven || inner.is_uneven)
                continue;
            const bool same_axis = outer.axis == inner.axis && outer.index_step == inner.index_step * inner.extent;
            if (!same_axis && (is_kept(outer.axis) || is_kept(inner.axis))) continue;
            if (!same_axis && !(r.is_only_node(outer) && r.is_only_node(inner))) continue;
            r.nodes[j].extent *= outer.extent;
            if (!same_axis) r.bounds[inner.axis] = {inner.extent, inner.extent};
            // A partial last step beyond the bound may no longer be needed.
            const dim_t needed = divide_up(r.bounds[inner.axis].stored, inner.index_step);
            if (inner.extent > needed) r.nodes[j].extent = needed;
            r.nodes.erase(i);
            grown = j > i ? j - 1 : j;
            tried = i;
            i = -1;
            break;
        }
}

/// Reverses each node that runs backwards in the destination and is the only node of its axis: index 0 becomes the
/// last.
constexpr void turn_nodes(refinement& r, int kept) {
    for (reorder_node& n : r.nodes) {
        if (n.dst >= 0 || n.is_uneven || !r.is_only_node(n) || (n.axis < max_ndims && (kept >> n.axis & 1) != 0))
            continue;
        r.src_offset += (n.extent - 1) * n.src;
        r.dst_offset += (n.extent - 1) * n.dst;
        n.src = -n.src;
        n.dst = -n.dst;
    }
}

/// Reduces the number of nodes, and the number of nodes with a bound. Neighbours in memory are joined (join_nodes),
/// nodes of extent 1 disappear, and blocks that no bound cuts become axes of their own. Axes in the mask `kept` stay
/// as they are.
///
/// Post:    the set of pairs (source offset, destination offset) is unchanged
constexpr void coalesce_nodes(refinement& r, int kept = 0) {
    const auto is_kept = [kept](int axis) { return axis < max_ndims && (kept >> axis & 1) != 0; };
    const int axes = r.bounds.size();
    for (int a = 0; a < axes; ++a)
        if (r.is_whole(a) && !r.is_uneven_along(a) && !is_kept(a)) separate_nodes(r, a, r.bounds[a].stored + 1);
    turn_nodes(r, kept);
    for (int i = 0; i < r.nodes.size();)
        if (r.nodes[i].extent == 1 && r.is_whole(r.nodes[i].axis)) r.nodes.erase(i);
        else ++i;
    join_nodes(r, kept);
    // Only after the first join, which joins neighbours of one axis wherever the axis ends.
    if (separate_uncut_blocks(r, kept)) join_nodes(r, kept);
}
constexpr refinement coalesce(refinement r, int kept = 0) {
    coalesce_nodes(r, kept);
    return r;
}

}  // namespace plait::engine
