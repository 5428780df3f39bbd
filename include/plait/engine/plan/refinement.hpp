#pragma once
// Two layouts as one loop nest: the common refinement of their digits, axis by axis, with as few loops as possible.
//
// Example: nchw -> nChw16c, 17 channels of 56 x 56. Channels are cut at 16, where a digit of the destination begins.
// One node has 16 steps, by 3136 elements in the source and 1 in the destination; another has 2 steps, by 50176 on both
// sides. 17 channels are valid and 32 stored. h is a node of 56 steps, by 56 and 896; w one of 56 steps, by 1 and 16.

#include <plait/algebra/refine.hpp>
#include <plait/contract/check_reorder.hpp>
#include <plait/contract/isa.hpp>
#include <plait/engine/plan/plan.hpp>

#include <bit>  // std::countr_zero
#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A loop over part of the index along one axis, with the offset that a step adds on both sides, in elements.
struct reorder_node {
    int axis = 0;          ///< index into `bounds` of the axis that it counts along
    dim_t extent = 0;      ///< number of steps; the last ones may be beyond the bounds
    dim_t index_step = 0;  ///< what a step adds to the index along the axis
    dim_t src = 0, dst = 0;
    bool is_uneven = false;  ///< true if its steps differ: see uneven_step
    constexpr bool operator==(const reorder_node&) const = default;
};

/// The bounds of the index along an axis. Indices below `valid` have an element in the source. Indices below `stored`
/// have a place in the destination, which is zero if there is no element.
struct axis_bound {
    dim_t valid = 0, stored = 0;
    constexpr bool operator==(const axis_bound&) const = default;
};

inline constexpr int max_nodes = 64;  // more than two lists of 24 digits and 12 axes need

/// The nodes of all axes, and their bounds. Each element, and each place of padding, is one index into the nodes.
struct refinement {
    scratch_list<reorder_node, max_nodes> nodes;
    scratch_list<axis_bound, max_nodes> bounds;
    dim_t src_offset = 0, dst_offset = 0;
    dim_t src_end = 0;              ///< offset one past the last element of the source
    uneven_step_list uneven_steps;  ///< steps of the uneven nodes, at most one node along an axis
    /// A node of two steps whose bytes exchange halves: the high half of the first with the low half of the second.
    /// -1: none; see byte_refinement.hpp.
    int half_bytes = -1;

    /// True if the nodes of an axis end exactly at both its bounds.
    constexpr bool is_whole(int axis) const {
        dim_t covered = 1;
        for (const reorder_node& node : nodes)
            if (node.axis == axis) covered *= node.extent;
        return bounds[axis].valid == covered && bounds[axis].stored == covered;
    }
    constexpr bool is_uneven_along(int axis) const {
        for (const uneven_step& uneven : uneven_steps)
            if (uneven.axis == axis) return true;
        return false;
    }
    /// True if a node is the only one of its axis and ends exactly at both its bounds.
    constexpr bool is_only_node(const reorder_node& n) const {
        return n.index_step == 1 && bounds[n.axis].valid == n.extent && bounds[n.axis].stored == n.extent;
    }
    /// Returns how many of a node's lowest index bits a tile may take. An inner node of an axis ends before its bound
    /// does, so only powers of two that divide it are allowed; the outermost node is bounded. A node that runs
    /// backwards in the destination is stepped over by loops alone, because rows of tiles are counted upwards.
    constexpr int splittable_bits(int node) const {
        const reorder_node& n = nodes[node];
        if (n.is_uneven || n.dst < 0) return 0;
        for (const reorder_node& other : nodes)
            if (other.axis == n.axis && other.index_step > n.index_step)
                return std::countr_zero(static_cast<std::uint64_t>(n.extent));
        return 62;
    }
    constexpr bool operator==(const refinement&) const = default;
};

/// Adds the uneven steps of one side: the jumps of its places beyond the outermost step. False if there are too many.
constexpr bool add_uneven_steps(uneven_step_list& uneven_steps, int axis, const axis_places& places, dim_t index_step,
                                side of) {
    for (const jump& j : places.jumps) {
        if (j.border <= index_step) continue;
        if (uneven_steps.full()) return false;
        uneven_steps.push_back(
            {axis, j.border / index_step, of == side::source ? j.by : 0, of == side::source ? 0 : j.by});
    }
    return true;
}

/// True if the offsets of all nodes together stay within 63 bits in bytes, although a tile may round each node up to
/// twice its steps. The padding of one side continues where the other has no elements: a source of 2 elements 2^40
/// apart and a destination padded to 2^30 would reach 2^70.
constexpr bool reach_fits(const refinement& r) {
    checked_integer reach;
    const auto add = [&](dim_t steps, dim_t src, dim_t dst) {
        reach.add_product(steps, step_size(src));
        reach.add_product(steps, step_size(dst));
    };
    for (const reorder_node& n : r.nodes) {
        add(n.extent, n.src, n.dst);
        for (const uneven_step& uneven : r.uneven_steps)
            if (n.is_uneven && uneven.axis == n.axis) add(n.extent / uneven.period, uneven.src, uneven.dst);
    }
    return reach.ok() && reach.value <= dim_t{1} << 58;
}

/// Returns the offset one past the last element of a layout.
///
/// Pre:     check_static(l).ok()
constexpr dim_t end_of_elements(const layout& l) { return l.span_begin() + static_cast<dim_t>(l.element_span()); }

/// Computes refine(src, dst) in place; false if there is no refinement.
///
/// Pre:     check_reorder(src, dst).ok(); out is default-constructed; src_end is
///          end_of_elements(src)
constexpr bool refine(refinement& out, const layout& src, const layout& dst, dim_t src_end) {
    out.src_offset = src.offset0;
    out.dst_offset = dst.offset0;
    out.src_end = src_end;
    // If an axis is empty, no index of any axis has an element. The empty axis itself may have no steps.
    const bool has_elements = src.volume() != 0;
    for (int a = 0; a < src.ndims(); ++a) {
        if (src.padded_offsets[a] != 0 || dst.padded_offsets[a] != 0) return false;
        const axis_bound bound{src.dims[a], dst.padded_dims[a]};
        out.bounds.push_back({has_elements ? bound.valid : 0, bound.stored});
        if (bound.stored == 1) continue;  // nothing steps along the axis
        // No index of a side reaches beyond its end, where its strides are unspecified.
        const axis_places both[] = {places_of(src, a, bound.valid), places_of(dst, a, bound.stored)};
        axis_loops<2> common;
        refine_axis<2>(common, both, bound.stored);
        const dim_t outermost = common.loops.back().step;
        if (!common.is_even() && (!add_uneven_steps(out.uneven_steps, a, both[0], outermost, side::source) ||
                                  !add_uneven_steps(out.uneven_steps, a, both[1], outermost, side::destination)))
            return false;
        for (const axis_loop<2>& loop : common.loops)
            out.nodes.push_back({.axis = a,
                                 .extent = loop.extent,
                                 .index_step = loop.step,
                                 .src = loop.step < bound.valid ? loop.by[0] : 0,  // else no step is valid
                                 .dst = loop.by[1],
                                 .is_uneven = !common.is_even() && loop.step == outermost});
    }
    // One place of padding: a second step, which is beyond the end, lets a bound decide that the first has no element.
    if (!has_elements && out.nodes.empty() && dst.padded_volume() == 1)
        out.nodes.push_back({.axis = 0, .extent = 2, .index_step = 1, .src = 0, .dst = 0, .is_uneven = false});
    return reach_fits(out);
}

/// Adds a node for source places without elements, if they lie between elements that are otherwise dense: one element
/// in every 2 or 4 places, and at least eight elements in the widest registers. A tile then loads whole registers and
/// stores a part of each, instead of loading single elements. Only index 0 of the node is ever stored. Runs of two
/// bytes get more places instead, of which the first two are stored.
///
/// Measured (Zen 4), one by one and by tiles: 639x1280 elements 2 apart, made dense, u8 222 and 38 us with AVX-512, 90
/// with AVX2; f32 222 and 155 with AVX-512, where AVX2 with four elements in a register would take 355; u8 elements 8
/// apart 314 and 423.
///
/// Example: bf16 aBC16b2c with one c: elements lie 2 apart. f16 abcd, of which a part has one of four d: 4 apart. u8
///          abc, of which a part has two of four c: the two get two places more
constexpr void add_source_gap(refinement& r, int bytes, isa instructions) {
    dim_t nearest = 0;
    reorder_node* dense = nullptr;
    for (reorder_node& n : r.nodes) {
        const dim_t distance = step_size(n.src);
        if (n.extent <= 1 || distance == 0) continue;
        if (n.src == 1) dense = &n;
        else if (nearest == 0 || distance < nearest) nearest = distance;
    }
    const dim_t run = dense == nullptr ? 1 : 2, places = nearest / run;
    const bool is_gap =
        (places == 2 || places == 4) && nearest % run == 0 && 8 * places * bytes <= vector_bytes(instructions);
    if (!is_gap) return;
    if (dense != nullptr) {
        if (bytes == 1 && !dense->is_uneven && dense->extent == run && r.is_only_node(*dense)) dense->extent = nearest;
    } else if (!r.nodes.full() && !r.bounds.full()) {
        // The node gets an axis of its own, because nodes of one step may have been removed.
        r.nodes.push_back(
            {.axis = r.bounds.size(), .extent = nearest, .index_step = 1, .src = 1, .dst = 0, .is_uneven = false});
        r.bounds.push_back({1, 1});
    }
}

/// Changes the source stride of an axis of extent 1 in blocks, where no element is stored beyond index 0: it becomes
/// the stride of the destination if the places are a segment of at least 32 bytes, or if nothing else is dense in the
/// source. Registers are then loaded and stored without a network, with one valid lane in each segment. Otherwise the
/// padding would be shuffled like elements, or elements moved one by one.
///
/// Example: nchw -> nChw16c of one channel: of 16 channels, lane 0 is loaded and stored, followed by 15 zeros.
///          u8 aCBd8b8c -> aCdb8c of one c: elements are 8 apart on both sides, so registers have 8 elements and 56
///          zeros
constexpr void continue_source(refinement& r, int bytes) {
    bool has_dense_source = false;
    for (const reorder_node& n : r.nodes) has_dense_source = has_dense_source || (n.src == 1 && n.extent > 1);
    for (reorder_node& n : r.nodes)
        if (n.index_step >= r.bounds[n.axis].valid && n.src == 0 && n.dst == 1 &&
            (n.extent * bytes >= 32 || !has_dense_source))
            n.src = 1;
}

/// Returns the common refinement of two layouts. Empty if there is none, because of:
/// - padding in front of the tensor
/// - blocks that do not divide each other (16 and 24) on more levels than uneven steps are kept for
/// - steps beyond the end of one side that overflow 63 bits
///
/// Pre:     check_reorder(src, dst).ok()
/// Post:    for every position p, the nodes' index i with sum(i * index_step) == p[a] for each axis has
///          src_offset + sum(i * src) == src.offset(p) and dst_offset + sum(i * dst) == dst.offset(p)
/// Cost:    O(digits squared) steps
constexpr std::optional<refinement> refine(const layout& src, const layout& dst) {
    std::optional<refinement> out;
    if (!refine(out.emplace(), src, dst, end_of_elements(src))) out.reset();
    return out;
}

// As few loops as possible, and as few as possible that end early.
//
// Examples:
// abcd of 2 x 40 x 5 x 4 in aBcd16b: c and d become one node of 20, because they are neighbours on both sides.
// nChw8c to nChw16c, 40 channels stored as 48: they are five and six blocks of 8, so nothing ends inside 8 channels.

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
    std::uint64_t once = 0, often = 0;  // axes that have nodes; that have several, of which some may be in blocks
    for (const reorder_node& n : r.nodes) {
        often |= once & std::uint64_t{1} << n.axis;
        once |= std::uint64_t{1} << n.axis;
    }
    bool found = false;
    for (; often != 0; often &= often - 1) {
        const int a = std::countr_zero(often);
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
    for (int i = 0, tried = 0, grown = -1; i < r.nodes.size(); ++i) {
        const bool is_compared = i < tried && i != grown;
        const reorder_node outer = r.nodes[i];
        if (outer.is_uneven) continue;
        for (int j = is_compared ? grown : 0, end = is_compared ? grown + 1 : r.nodes.size(); j < end; ++j) {
            const reorder_node& inner = r.nodes[j];
            if (outer.src != inner.src * inner.extent || outer.dst != inner.dst * inner.extent || i == j ||
                inner.is_uneven)
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
