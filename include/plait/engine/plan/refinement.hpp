#pragma once
// Two layouts as one loop nest: the common refinement of their digits, axis by axis.
//
// Example: nchw -> nChw16c, 17 channels of 56 x 56. Channels are cut at 16, where a digit of the destination begins: a
// node of 16 steps, by 3136 elements in the source and 1 in the destination, and one of 2 steps, by 50176 on both
// sides; 17 are valid and 32 stored. h is a node of 56 steps, by 56 and 896; w one of 56 steps, by 1 and 16.

#include <plait/contract/check_reorder.hpp>
#include <plait/engine/plan/digit_borders.hpp>
#include <plait/engine/plan/side.hpp>
#include <plait/engine/plan/uneven_steps.hpp>

#include <bit>  // std::countr_zero
#include <optional>

namespace plait::engine {

/// A loop over part of the index along one axis, with what a step means on both sides, in elements.
struct reorder_node {
    int axis = 0;          ///< which of the `bounds` it counts towards
    dim_t extent = 0;      ///< how many steps; the last ones may lie beyond the bounds
    dim_t index_step = 0;  ///< what a step adds to the index along the axis
    dim_t src = 0, dst = 0;
    bool is_uneven = false;  ///< its steps are not all alike: see uneven_step
    constexpr bool operator==(const reorder_node&) const = default;
};

/// How far the index along an axis goes: indices below `valid` have an element in the source, those below `stored` a
/// place in the destination, which is zero where there is no element.
struct axis_bound {
    dim_t valid = 0, stored = 0;
    constexpr bool operator==(const axis_bound&) const = default;
};

inline constexpr int max_nodes = 64;  // more than two lists of 24 digits and 12 axes make

/// The nodes of all axes, and their bounds. Each element, and each place of padding, is one index into the nodes.
struct refinement {
    scratch_list<reorder_node, max_nodes> nodes;
    scratch_list<axis_bound, max_nodes> bounds;
    dim_t src_offset = 0, dst_offset = 0;
    dim_t src_end = 0;              ///< behind the source's last element
    uneven_step_list uneven_steps;  ///< of the nodes that have some, at most one along an axis

    /// Whether the nodes of an axis end exactly at both its bounds.
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
    /// Whether a node is all of its axis, and ends exactly at both its bounds.
    constexpr bool is_only_node(const reorder_node& n) const {
        return n.index_step == 1 && bounds[n.axis].valid == n.extent && bounds[n.axis].stored == n.extent;
    }
    /// How many of a node's lowest index bits a tile may take. A node with others of its axis around it ends before its
    /// bound does, so only whole powers of two inside it will do; the outermost is bounded. One that runs backwards in
    /// the destination is stepped over by loops alone, as rows of tiles are counted upwards.
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

/// Adds what the digits of one side carry at the borders above the first step, and below `end`: behind that no index of
/// the side goes, so the digit has one value, and its stride may be any number. False if there are too many.
constexpr bool add_uneven_steps(uneven_step_list& uneven_steps, int axis, const digit_borders& borders,
                                dim_t index_step, dim_t end, side of) {
    dim_t below = index_step;  // the border below, and the stride there
    dim_t stride = borders.stride_at(index_step);
    for (int k = 0; k < borders.index_steps.size() && borders.index_steps[k] < end; ++k) {
        if (borders.index_steps[k] <= index_step) continue;
        if (uneven_steps.full()) return false;
        const dim_t uneven = borders.stride[k] - borders.index_steps[k] / below * stride;
        uneven_steps.push_back({axis, borders.index_steps[k] / index_step, of == side::source ? uneven : 0,
                                of == side::source ? 0 : uneven});
        below = borders.index_steps[k];
        stride = borders.stride[k];
    }
    return true;
}

/// Whether all steps of the nodes together, of which a tile may round each up to twice as many, stay far within 63 bits
/// in bytes. The padding of one side goes on where the other has no elements: a source of 2 elements 2^40 apart, and a
/// destination padded to 2^30, would reach 2^70.
constexpr bool reach_fits(const refinement& r) {
    checked_integer reach;
    const auto add = [&](dim_t steps, dim_t src, dim_t dst) {
        reach.add_product(steps, src < 0 ? -src : src);
        reach.add_product(steps, dst < 0 ? -dst : dst);
    };
    for (const reorder_node& n : r.nodes) {
        add(n.extent, n.src, n.dst);
        for (const uneven_step& uneven : r.uneven_steps)
            if (n.is_uneven && uneven.axis == n.axis) add(n.extent / uneven.period, uneven.src, uneven.dst);
    }
    return reach.ok() && reach.value <= dim_t{1} << 58;
}

/// refine(src, dst), made in place; false where there is none.
///
/// Pre:     check_reorder(src, dst).ok(); out is as it is made; src_span is src.element_span()
constexpr bool refine(refinement& out, const layout& src, const layout& dst, dim_t src_span) {
    out.src_offset = src.offset0;
    out.dst_offset = dst.offset0;
    out.src_end = src.span_begin() + src_span;
    for (int a = 0; a < src.ndims(); ++a) {
        if (src.padded_offsets[a] != 0 || dst.padded_offsets[a] != 0) return false;
        const axis_bound bound{src.dims[a], dst.padded_dims[a]};
        out.bounds.push_back(bound);
        const digit_borders from(src, a), to(dst, a);
        const common_borders common(from, to, bound.stored);
        const auto& borders = common.index_steps;
        if (common.is_uneven)
            for (const side of : {side::source, side::destination})
                if (!add_uneven_steps(out.uneven_steps, a, of == side::source ? from : to, borders.back(),
                                      of == side::source ? bound.valid : bound.stored, of))
                    return false;
        for (int k = 0; k < borders.size(); ++k) {
            const dim_t index_step = borders[k];
            const dim_t end = k + 1 < borders.size() ? borders[k + 1] : bound.stored;
            // Where no second step is valid, or stored, its stride is never used, and may be any number.
            out.nodes.push_back({.axis = a,
                                 .extent = divide_up(end, index_step),
                                 .index_step = index_step,
                                 .src = index_step < bound.valid ? from.stride_at(index_step) : 0,
                                 .dst = index_step < bound.stored ? to.stride_at(index_step) : 0,
                                 .is_uneven = common.is_uneven && k + 1 == borders.size()});
        }
    }
    return reach_fits(out);
}

/// Adds a node for places of the source that hold no element, where they lie between elements that are otherwise dense:
/// 2, 4 or 8 in at most 8 bytes. A tile then loads whole registers, and stores half of one or less; else it would load
/// single elements. No index of the node but 0 is ever stored.
///
/// Measured (Zen 4): of u8 8 apart an element takes 0.23 ns by tiles, and 0.27 by itself; of bf16 8 apart 0.48 and
/// 0.27.
///
/// Example: bf16 aBC16b2c with one c: elements lie 2 apart
constexpr void add_source_gap(refinement& r, dim_t extent, int bytes) {
    const bool is_gap = (extent == 2 || extent == 4 || extent == 8) && extent * bytes <= 8;
    if (!is_gap || r.nodes.full() || r.bounds.full()) return;
    // An axis of its own: nodes of one step may be gone.
    r.nodes.push_back(
        {.axis = r.bounds.size(), .extent = extent, .index_step = 1, .src = 1, .dst = 0, .is_uneven = false});
    r.bounds.push_back({1, 1});
}

/// The same, where a layout has a block innermost along an axis of one index.
constexpr void add_source_gap(refinement& r, const layout& src, int bytes) {
    const digit& innermost = src.digits[src.digits.size() - 1];
    const int a = innermost.axis;
    if (src.digits.size() > src.ndims() && innermost.stride == 1 && r.bounds[a].valid == 1 && r.bounds[a].stored == 1)
        add_source_gap(r, innermost.extent, bytes);
}

/// Gives the steps that no element of the source is at, of an axis of one index in blocks, the destination's stride,
/// where they are a segment of 32 bytes or more: registers of them are then loaded and stored without a network, one
/// lane of each segment valid. Else the padding would be brought into place like elements.
///
/// Example: nchw -> nChw16c of one channel: of 16 channels, lane 0 is loaded, and 15 zeros stored behind it
constexpr void continue_source(refinement& r, int bytes) {
    for (reorder_node& n : r.nodes)
        if (n.index_step >= r.bounds[n.axis].valid && n.src == 0 && n.dst == 1 && n.extent * bytes >= 32) n.src = 1;
}

/// The common refinement of two layouts; empty where there is none: padding in front of the tensor, blocks that do not
/// divide each other (16 and 24) on more levels than uneven steps are kept for, or steps beyond the end of one side
/// that 63 bits do not count.
///
/// Pre:     check_reorder(src, dst).ok()
/// Post:    for every position p, the nodes' index i with sum(i * index_step) == p[a] for each axis has
///          src_offset + sum(i * src) == src.offset(p) and dst_offset + sum(i * dst) == dst.offset(p)
/// Cost:    O(digits squared) steps
constexpr std::optional<refinement> refine(const layout& src, const layout& dst) {
    std::optional<refinement> out;
    if (!refine(out.emplace(), src, dst, static_cast<dim_t>(src.element_span()))) out.reset();
    return out;
}

}  // namespace plait::engine
