#pragma once
// Reorders of elements smaller than a byte as reorders of bytes. Places are in bits, and the loops are those of
// refinement.hpp. The run is the innermost loop: the bits that are adjacent on both sides, at first those of an
// element. It grows along nodes that continue it on both sides, until it is whole bytes.
//
// Example: u4 ab -> AB16b64a2b of 512 x 512: the run of 4 bits grows along two neighbours in b, which share a byte on
// both sides. Bytes are moved: b counts 256 of them. u4 ab -> ba: neighbours along b share a byte of the source,
// neighbours along a share one of the destination. Of two bytes of the source, at a and at a + 1, the low halves become
// a byte of the destination at b and the high halves one at b + 1. With these two bytes as one pair, 256 of them along
// a and 256 along b are moved as bytes, and the two bytes of each pair exchange halves on the way.
//
// The node of the two bytes (half_bytes) becomes a bit of registers in choose_tile.hpp. lane_network.hpp says when the
// registers exchange halves: before or after the exchange of the highest register bit with a lane bit.

#include <plait/engine/plan/refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Changes the unit of a refinement from elements to bits; false if a place does not fit. Nodes of one step have none.
constexpr bool count_in_bits(refinement& r, int bits) {
    bool fits = true;
    const auto count = [&](dim_t& places) { fits = !multiply_overflows(places, dim_t{bits}, places) && fits; };
    for (reorder_node& n : r.nodes) {
        if (n.extent <= 1) n.src = n.dst = 0;
        count(n.src);
        count(n.dst);
    }
    for (uneven_step& uneven : r.uneven_steps) {
        count(uneven.src);
        count(uneven.dst);
    }
    count(r.src_offset);
    count(r.dst_offset);
    count(r.src_end);
    return fits;
}

/// Changes the unit of a refinement from bits to bytes; false if a step or an offset is not in whole bytes.
constexpr bool divide_into_bytes(refinement& r) {
    bool whole = true;
    const auto divide = [&](dim_t& places) {
        whole = whole && places % 8 == 0;
        places /= 8;
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
    r.src_end = divide_up(r.src_end, 8);  // the tensor may end inside a byte
    return whole;
}

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

/// Returns the least number of steps of `bits` bits each that lead from byte to byte.
constexpr dim_t steps_to_byte(dim_t bits) { return 8 / greatest_common_divisor(8, bits & 7); }

/// Returns the number of a node of more than one step that `fits`; -1 if there is none.
template <class Fits>
constexpr int find_node(const refinement& r, Fits fits) {
    for (int i = 0; i < r.nodes.size(); ++i)
        if (r.nodes[i].extent > 1 && fits(r.nodes[i])) return i;
    return -1;
}

/// Counts a refinement in bits, with runs of half a byte, in bytes: if the second half of a byte lies along one node in
/// the source and along another in the destination. The node half_bytes then has two steps, whose bytes exchange
/// halves. False if there is no such refinement; it may then be changed.
constexpr bool exchange_half_bytes(refinement& r) {
    // Each node is cut before the next is looked for, because cutting may move other nodes to other axes.
    const int along_src = find_node(r, [](const reorder_node& n) { return n.src == 4; });
    if (along_src < 0 || r.nodes[along_src].dst == 4) return false;
    const int src_pair = cut_off_steps(r, along_src, 2),
              along_dst = find_node(r, [](const reorder_node&n) { return n.dst == 4; });
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
    if (!divide_into_bytes(r)) return false;
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

/// Counts a refinement in bits, with runs of `run` bits, in bytes. False if some bytes hold runs from different places
/// that no exchange of halves brings there, or if an axis ends inside a byte. The refinement may then be changed.
///
/// Pre:     r is refine_in_bits of two layouts
/// Post:    if true, r is coalesced, and in bytes; see half_bytes
/// Cost:    that of coalesce_nodes, twice
constexpr bool count_in_bytes(refinement& r, dim_t run) {
    coalesce_nodes(r);
    while (run % 8 != 0) {
        const int next = find_node(r, [run](const reorder_node& n) { return n.src == run && n.dst == run; });
        if (next < 0) return run == 4 && exchange_half_bytes(r);
        const dim_t missing = steps_to_byte(run), extent = r.nodes[next].extent;
        const int inside = cut_off_steps(r, next, extent % missing == 0 ? missing : extent);
        if (inside < 0) return false;
        run *= r.nodes[inside].extent;
        r.nodes.erase(inside);
    }
    if (!divide_into_bytes(r)) return false;
    if (const dim_t bytes = run / 8; bytes > 1) {
        if (r.nodes.full() || r.bounds.full()) return false;
        r.nodes.push_back({.axis = r.bounds.size(), .extent = bytes, .index_step = 1, .src = 1, .dst = 1});
        r.bounds.push_back({bytes, bytes});
    }
    coalesce_nodes(r);
    return true;
}

/// The axes that end inside a byte. Tiles of bytes move the elements whose index is below a number along each of these
/// axes, and element_move moves the others. No byte of the destination holds elements of both.
struct byte_rests {
    inline_list<int, max_ndims> axes;
    inline_list<dim_t, max_ndims> moved;  ///< the number of indices along each of the axes that tiles move

    /// Leaves out of a refinement in bits what axes leave of a byte at their end, and all after it. False if nothing or
    /// all would be left out.
    ///
    /// Pre:     r is refine_in_bits of two layouts
    constexpr bool leave_out_of(refinement& r) {
        bool leaves_some = true;
        for (int axis = 0; axis < r.bounds.size(); ++axis) {
            dim_t unit = 1;  // indices along the axis that are whole bytes on both sides
            for (const reorder_node& n : r.nodes)
                for (const dim_t step : {n.src, n.dst})
                    if (n.axis == axis && n.extent > 1) unit = larger_of(unit, n.index_step * steps_to_byte(step));
            axis_bound& bound = r.bounds[axis];
            if (bound.valid % unit == 0 && bound.stored % unit == 0) continue;
            const dim_t whole = bound.valid / unit * unit;
            bound = {whole, whole};
            axes.push_back(axis);
            moved.push_back(whole);
            leaves_some = leaves_some && whole > 0;
            for (reorder_node& n : r.nodes)
                if (n.axis == axis) n.extent = smaller_of(n.extent, larger_of(1, divide_up(whole, n.index_step)));
        }
        return leaves_some && !axes.empty();
    }
};

/// Computes the refinement of two layouts of elements of `bits` bits, in bits; false if there is none.
///
/// Pre:     as refine
constexpr bool refine_in_bits(refinement& out, const layout& src, const layout& dst, dim_t src_end, int bits) {
    return refine(out, src, dst, src_end) && count_in_bits(out, bits);
}

/// Computes the refinement of two layouts of elements of `bits` bits, in bytes: of all elements if possible, else of
/// those that are left without the ends of some axes. False if there is none.
///
/// Pre:     as refine; rests is default-constructed; bits is 1, 2, 4 or 6
constexpr bool refine_in_bytes(refinement& out, byte_rests& rests, const layout& src, const layout& dst, dim_t src_end,
                               int bits) {
    if (!refine_in_bits(out, src, dst, src_end, bits)) return false;
    if (count_in_bytes(out, bits)) return true;
    out = {};
    return refine_in_bits(out, src, dst, src_end, bits) && rests.leave_out_of(out) && count_in_bytes(out, bits);
}

}  // namespace plait::engine
