#pragma once
// The loop nest of a pair with as few loops as possible, and as few of them ending before their last step.
//
// abcd of 2 x 40 x 5 x 4 in aBcd16b: the nodes of c and d are one of 20, as they are neighbours on both sides; and as
// 40 channels are five blocks of 8, and 48 are six, from nChw8c to nChw16c nothing ends inside of 8 channels.

#include <plait/engine/plan/refinement.hpp>

namespace plait::engine {

/// Makes each node of an axis whose steps are below `unit` an axis of its own, with no more to count than itself. The
/// others count units then.
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

/// Of how many indices the blocks of an axis are that neither bound cuts, and that other nodes count; 1: there are
/// none.
///
/// Example: 40 channels, stored as 48, of which nodes count 2, 4 and 6: blocks of 8. Of 4, if 36 are valid
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

/// Makes the nodes of blocks that no bound cuts axes of their own, of which nothing ends: what is around them counts
/// blocks. Not along the axes in `kept`, a mask. False if there are none.
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

/// Makes neighbours in memory on both sides one node: of one axis always, of different axes where both end exactly at
/// their bounds and neither is in `kept`, a mask of axes.
constexpr void join_nodes(refinement& r, int kept) {
    const auto is_kept = [kept](int axis) { return axis < max_ndims && (kept >> axis & 1) != 0; };
    // Both have to be the only node of their axis: the others would go on counting towards bounds that are gone.
    // The first pair that may be one node is made one, and the search begins again: `i = -1`. By then the nodes before
    // `tried` were compared with all others in vain; they have only to be compared with the one that grew.
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
            // A last step in part beyond the bound may not be needed any more.
            const dim_t needed = divide_up(r.bounds[inner.axis].stored, inner.index_step);
            if (inner.extent > needed) r.nodes[j].extent = needed;
            r.nodes.erase(i);
            grown = j > i ? j - 1 : j;
            tried = i;
            i = -1;
            break;
        }
}

/// Turns the nodes round that run backwards in the destination and are all of their axis: index 0 becomes the last one.
constexpr void turn_nodes(refinement& r, int kept) {
    for (reorder_node& n : r.nodes) {
        if (n.dst >= 0 || n.is_uneven || !r.is_only_node(n) || (n.axis < max_ndims && (kept >> n.axis & 1) != 0)) continue;
        r.src_offset += (n.extent - 1) * n.src;
        r.dst_offset += (n.extent - 1) * n.dst;
        n.src = -n.src;
        n.dst = -n.dst;
    }
}

/// The same index space with as few nodes as possible, and as few of them bounded: neighbours in memory are one node
/// (join_nodes), nodes of one step disappear, and what no bound cuts is an axis of its own. No axis in `kept`, a mask,
/// becomes another.
///
/// Post:    the pairs (source offset, destination offset) are the same
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
    // Only now: nodes of one axis that are neighbours are one, wherever it ends.
    if (separate_uncut_blocks(r, kept)) join_nodes(r, kept);
}
constexpr refinement coalesce(refinement r, int kept = 0) {
    coalesce_nodes(r, kept);
    return r;
}

}  // namespace plait::engine
