#pragma once
// Reorders of elements smaller than a byte as reorders of bytes.
//
// Example: u4 ab -> AB16b64a2b of 512 x 512: two neighbours along b share a byte on both sides, so bytes are moved: b
// counts 256 pairs. u4 ab -> ba: neighbours along b share a byte of the source, neighbours along a share one of the
// destination. Of two bytes of the source, at a and at a + 1, the low halves become a byte of the destination at b and
// the high halves one at b + 1. With these two bytes as one pair, 256 of them along a and 256 along b are moved as
// bytes, and the two bytes of each pair exchange halves on the way.
//
// The node of the two bytes (half_bytes) becomes a bit of registers in choose_tile.hpp. lane_network.hpp says when the
// registers exchange halves: before or after the exchange of the highest register bit with a lane bit.

#include <plait/engine/plan/coalesce.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Elements that share whole bytes: `count` elements in `bytes` bytes.
struct byte_group {
    dim_t count = 1, bytes = 1;

    constexpr explicit byte_group(int bits) : count(bits == 6 ? 4 : 8 / bits), bytes(bits == 6 ? 3 : 1) {}
};

/// Cuts the lowest `steps` steps off a node, and returns their node, the only one of its axis. The other nodes of the
/// old axis then count groups of these steps, or have axes of their own. Returns -1, and may leave the refinement
/// changed, if a bound of the axis cuts a group, or if the steps differ.
constexpr int cut_off_steps(refinement& r, int number, dim_t steps) {
    const reorder_node node = r.nodes[number];
    const dim_t unit = node.index_step * steps;
    const axis_bound bound = r.bounds[node.axis];
    if (node.is_uneven || node.extent % steps != 0 || bound.valid % unit != 0 || bound.stored % unit != 0) return -1;
    for (const reorder_node& other : r.nodes)
        if (other.axis == node.axis && other.index_step > node.index_step && other.index_step % unit != 0) return -1;
    if (r.nodes.full()) return -1;
    int inner_axes = 0;
    for (const reorder_node& other : r.nodes) inner_axes += other.axis == node.axis && other.index_step < unit;
    if (r.bounds.size() + inner_axes + 1 > max_nodes) return -1;
    reorder_node inner = node;
    inner.extent = steps;
    r.nodes.push_back(inner);
    reorder_node& outer = r.nodes[number];
    outer.extent /= steps;
    outer.index_step = unit;
    outer.src *= steps;
    outer.dst *= steps;
    separate_nodes(r, node.axis, unit);
    r.bounds[node.axis] = {bound.valid / unit, bound.stored / unit};
    return r.nodes.size() - 1;
}

/// Returns the first node of more than one step that steps by one element on a side; -1 if there is none.
constexpr int node_of_neighbours(const refinement& r, side of) {
    for (int i = 0; i < r.nodes.size(); ++i)
        if (r.nodes[i].extent > 1 && (of == side::source ? r.nodes[i].src : r.nodes[i].dst) == 1) return i;
    return -1;
}

/// Divides all steps and offsets by the elements of a group, and multiplies them by its bytes; false if one of them
/// does not lead from group to group.
constexpr bool count_bytes(refinement& r, const byte_group& group) {
    bool whole = true;
    const auto divide = [&](dim_t& places) {
        whole = whole && places % group.count == 0;
        places = places / group.count * group.bytes;
    };
    for (reorder_node& n : r.nodes) {
        if (n.extent <= 1) n.src = n.dst = 0;
        divide(n.src);
        divide(n.dst);
    }
    for (uneven_step& uneven : r.uneven_steps) {
        divide(uneven.src);
        divide(uneven.dst);
    }
    divide(r.src_offset);
    divide(r.dst_offset);
    r.src_end = divide_up(r.src_end * group.bytes, group.count);  // a group may end with its tensor
    return whole;
}

/// Turns a refinement in elements of `bits` bits into one in bytes, if the elements that share bytes are the same on
/// both sides; otherwise false, and the refinement may be changed.
constexpr bool move_whole_bytes(refinement& r, int bits) {
    const byte_group group(bits);
    for (dim_t unit = 1; unit < group.count;) {
        int next = -1;
        for (int i = 0; i < r.nodes.size(); ++i)
            if (r.nodes[i].extent > 1 && r.nodes[i].src == unit && r.nodes[i].dst == unit) next = i;
        if (next < 0) return false;
        const dim_t extent = r.nodes[next].extent, steps = extent < group.count / unit ? extent : group.count / unit;
        const int inside = group.count % (unit * steps) == 0 ? cut_off_steps(r, next, steps) : -1;
        if (inside < 0) return false;
        r.nodes.erase(inside);
        unit *= steps;
    }
    if (!count_bytes(r, group)) return false;
    if (group.bytes == 1) return true;
    if (r.nodes.full() || r.bounds.full()) return false;
    r.nodes.push_back({.axis = r.bounds.size(), .extent = group.bytes, .index_step = 1, .src = 1, .dst = 1});
    r.bounds.push_back({group.bytes, group.bytes});
    return true;
}

/// Turns a refinement in elements of 4 bits into one in bytes, if the second element of a byte lies along one node in
/// the source and along another in the destination. The node half_bytes then has two steps, whose bytes exchange
/// halves. False if there is no such refinement; it may then be changed.
constexpr bool exchange_half_bytes(refinement& r) {
    // Each node is cut before the next is looked for, because cutting may move other nodes to other axes.
    const int along_src = node_of_neighbours(r, side::source);
    if (along_src < 0 || r.nodes[along_src].dst == 1) return false;
    const int src_pair = cut_off_steps(r, along_src, 2), along_dst = node_of_neighbours(r, side::destination);
    if (src_pair < 0 || along_dst < 0) return false;
    const int dst_pair = cut_off_steps(r, along_dst, 2);
    if (dst_pair < 0) return false;
    // The second byte of a pair lies where the second row of the source does, and goes to the second of the
    // destination.
    reorder_node pair = r.nodes[src_pair];
    pair.src = r.nodes[dst_pair].src;
    if (pair.src <= 0 || pair.dst <= 0) return false;
    r.nodes.erase(dst_pair);
    r.nodes[src_pair] = pair;
    if (!count_bytes(r, byte_group(4))) return false;
    pair = r.nodes[src_pair];
    // No other node may be joined with it.
    r.nodes.erase(src_pair);
    coalesce_nodes(r);
    if (r.nodes.full() || r.bounds.full()) return false;
    pair.axis = r.bounds.size();
    r.half_bytes = r.nodes.size();
    r.nodes.push_back(pair);
    r.bounds.push_back({2, 2});
    return true;
}

/// Turns a refinement in elements of `bits` bits into one in bytes; false if some bytes hold elements from different
/// places in other ways, or if an axis ends inside a byte.
///
/// Pre:     r is refine of two layouts; bits is 1, 2, 4 or 6
/// Post:    if true, r is coalesced, and in bytes; see half_bytes
/// Cost:    that of coalesce_nodes, twice
constexpr bool count_in_bytes(refinement& r, int bits) {
    coalesce_nodes(r);
    refinement whole = r;
    if (move_whole_bytes(whole, bits)) {
        r = whole;
        coalesce_nodes(r);
        return true;
    }
    return bits == 4 && exchange_half_bytes(r);
}

}  // namespace plait::engine
