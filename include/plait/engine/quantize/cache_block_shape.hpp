#pragma once
// How a tensor is cut into cache blocks: parts of it that fit in the nearest cache and are dense on one side or both.

#include <plait/engine/plan/refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The dense side of a cache block, where its values are converted: the source or the destination. If both sides have
/// the elements in the same order (`both`), they are converted on the way, without a buffer.
enum class cache_block_side { both, source, destination };

/// The arrays that are read or written by index: four attributes, in the order in which they are applied to a number,
/// and two compensations.
enum value_array { src_zero_points, src_scales, dst_scales, dst_zero_points, s8s8_sums, asymmetric_source_sums };
inline constexpr int attribute_arrays = s8s8_sums;
inline constexpr int value_arrays = asymmetric_source_sums + 1;

/// A node of the refinement, and the number of its steps in a cache block.
struct cache_block_node {
    int axis = 0;  ///< the index of its bound
    bool is_uneven = false;
    dim_t extent = 0, index_step = 0;
    dim_t src = 0, dst = 0;  ///< elements
    dim_t block_steps = 1;
    int tensor_axis = -1;               ///< the axis of the tensor if values depend on its index; else -1
    dim_t tensor_step = 0;              ///< what a step adds to that index
    dim_t value_steps[value_arrays]{};  ///< what a step adds to the place in each array

    constexpr bool has_values() const {
        for (int k = 0; k < attribute_arrays; ++k)
            if (value_steps[k] != 0) return true;
        return false;
    }
};

inline constexpr int max_block_nodes = 16;
inline constexpr dim_t most_values_of_a_row = 1024;  ///< if values differ within a row

/// The nodes of a tensor. The nodes with more than one step in a cache block come first, in the order of its dense
/// side, the innermost first.
struct cache_block_shape {
    inline_list<cache_block_node, max_block_nodes> nodes;
    inline_list<axis_bound, max_block_nodes> bounds;
    uneven_step_list uneven_steps;
    uneven_step_list
        uneven_sums;  ///< what uneven steps add to the places of sums: `src` for s8s8, `dst` for the others
    dim_t src_offset = 0, dst_offset = 0, src_end = 0;
    dim_t first_values[value_arrays]{};  ///< the place of the first value in each array
    cache_block_side side = cache_block_side::both;
    int inner = 0;                     ///< number of nodes with more than one step in a cache block
    bool rows_have_one_value = false;  ///< true if rows end where values begin to differ, if they are long enough
    bool is_large = false;             ///< true if the tensor is larger than any cache

    constexpr dim_t volume() const {
        dim_t product = 1;
        for (const cache_block_node& n : nodes) product *= n.block_steps;
        return product;
    }
    constexpr dim_t stride(const cache_block_node& n, bool source) const { return source ? n.src : n.dst; }
    /// Returns true if the node has the stride `stride` on the dense side, or on both sides for `both`.
    constexpr bool is_dense_at(const cache_block_node& n, dim_t stride, cache_block_side where) const {
        return (where == cache_block_side::destination || n.src == stride) &&
               (where == cache_block_side::source || n.dst == stride);
    }
    constexpr bool is_outermost(int node) const {
        for (const cache_block_node& other : nodes)
            if (other.axis == nodes[node].axis && other.index_step > nodes[node].index_step) return false;
        return true;
    }
    /// Returns 1 + the largest index along an axis inside a cache block.
    constexpr dim_t reach(int axis) const {
        dim_t sum = 1;
        for (const cache_block_node& n : nodes)
            if (n.axis == axis) sum += (n.block_steps - 1) * n.index_step;
        return sum;
    }
    /// Returns true if some cache block passes an end of the axis.
    constexpr bool is_bounded(int axis) const {
        dim_t covered = 1;
        for (const cache_block_node& n : nodes) {
            if (n.axis != axis) continue;
            if (n.extent % n.block_steps != 0) return true;
            covered *= n.extent;
        }
        return bounds[axis].valid != covered || bounds[axis].stored != covered;
    }
};

/// Returns the number of adjacent elements along nodes that are taken whole, at most `enough`.
constexpr dim_t dense_run(const cache_block_shape& shape, cache_block_side where, dim_t enough) {
    dim_t run = 1;
    for (bool longer = true; longer && run < enough;) {
        longer = false;
        for (const cache_block_node& n : shape.nodes)
            if (n.extent > 1 && !n.is_uneven && shape.is_dense_at(n, run, where)) {
                run *= n.extent;
                longer = true;
                break;
            }
    }
    return run < enough ? run : enough;
}

/// Returns the steps of the outermost node of an axis that come before the end of the axis, or all steps.
///
/// Without a buffer, the end of an axis gets a cache block of its own if nearly all steps are complete and another node
/// of the axis is inside. Then no other row has to check for the end. Blocks that are moved through a buffer do not
/// check for ends in rows, and are better longer.
///
/// Example: 728 channels in blocks of 16: 45 steps, and a cache block of one step with the last 8 channels. 1239 x 728
///          of f32, a scale for each row, acdb -> ABcd16a16b: 216 us, and 316 if all cache blocks have the end (Zen 4)
constexpr dim_t steps_before_end(const cache_block_shape& shape, const cache_block_node& n) {
    const dim_t steps = shape.bounds[n.axis].valid / n.index_step;
    const bool has_own_end = shape.side == cache_block_side::both && n.index_step > 1 && 4 * steps >= 3 * n.extent;
    return has_own_end && steps < n.extent ? steps : n.extent;
}

/// Returns how many steps of a node a cache block has, given room for `room` steps. It has all steps if they fit. Else
/// it has a divisor if an outer node of the same axis exists. Else the parts are nearly equal, and whole vectors if
/// they are long.
constexpr dim_t steps_in_cache_block(const cache_block_shape& shape, int node, dim_t room) {
    const cache_block_node& n = shape.nodes[node];
    if (n.is_uneven) return 1;
    if (n.has_values() && room > most_values_of_a_row) room = most_values_of_a_row;
    if (room >= n.extent) return shape.is_outermost(node) ? steps_before_end(shape, n) : n.extent;
    if (room <= 1) return 1;
    if (!shape.is_outermost(node)) {
        dim_t steps = room;
        while (n.extent % steps != 0) --steps;
        return steps;
    }
    if (room < 16) return static_cast<dim_t>(std::bit_floor(static_cast<std::uint64_t>(room)));
    const dim_t parts = divide_up(n.extent, room / 16 * 16);
    return divide_up(divide_up(n.extent, parts), 16) * 16;
}

constexpr void grow_node(cache_block_shape& shape, int node, dim_t room) {
    const dim_t steps = steps_in_cache_block(shape, node, room);
    if (steps > shape.nodes[node].block_steps) shape.nodes[node].block_steps = steps;
}

/// Grows the cache block along the nodes that are dense on a side, to a run of `wanted` elements, with a volume of at
/// most `most`.
constexpr void grow_run(cache_block_shape& shape, cache_block_side where, dim_t wanted, dim_t most) {
    for (dim_t run = 1; run < wanted;) {
        int next = -1;
        for (int k = 0; k < shape.nodes.size(); ++k)
            if (shape.nodes[k].extent > 1 && shape.is_dense_at(shape.nodes[k], run, where)) next = k;
        if (next < 0) return;
        const dim_t room = most / (shape.volume() / shape.nodes[next].block_steps), more = divide_up(wanted, run);
        grow_node(shape, next, room < more ? room : more);
        if (shape.nodes[next].block_steps != shape.nodes[next].extent) return;
        run *= shape.nodes[next].block_steps;
    }
}

/// Moves the nodes of a cache block to the front, in the order of its dense side; nodes with step 0 are last.
constexpr void order_nodes(cache_block_shape& shape) {
    const bool source = shape.side == cache_block_side::source;
    const auto is_before = [&](const cache_block_node& a, const cache_block_node& b) {
        if ((a.block_steps > 1) != (b.block_steps > 1)) return a.block_steps > 1;
        const dim_t x = step_size(shape.stride(a, source)), y = step_size(shape.stride(b, source));
        return x != 0 && (y == 0 || x < y);
    };
    for (int i = 1; i < shape.nodes.size(); ++i)
        for (int k = i; k > 0 && is_before(shape.nodes[k], shape.nodes[k - 1]); --k) {
            const cache_block_node moved = shape.nodes[k];
            shape.nodes[k] = shape.nodes[k - 1];
            shape.nodes[k - 1] = moved;
        }
    shape.inner = 0;
    for (const cache_block_node& n : shape.nodes) shape.inner += n.block_steps > 1 ? 1 : 0;
}

/// Chooses how many steps of each node a cache block has, for these element sizes: first whole cache lines on both
/// sides, then longer runs, then as much as there is room for.
///
/// Pre:     every node has block_steps 1; shape.side is chosen
/// Post:    shape.volume() <= most, and the nodes are in order
constexpr void choose_cache_block(cache_block_shape& shape, int src_bytes, int dst_bytes, dim_t most) {
    if (shape.side == cache_block_side::both) grow_run(shape, cache_block_side::both, most, most);
    const auto grow = [&](bool source, dim_t lines) {
        if (source) grow_run(shape, cache_block_side::source, lines * (src_bytes > 1 ? 128 / src_bytes : 64), most);
        else grow_run(shape, cache_block_side::destination, lines * 64 / dst_bytes, most);
    };
    const bool at_source = shape.side == cache_block_side::source;
    grow(false, 1);
    grow(true, 1);
    grow(at_source, 4);
    grow(!at_source, 4);
    // The destination's run grows first: the CPU prefetches lines that follow each other, also those that are written.
    // bf16 cdba -> ABcd8b16a of 512x512x3x3, a scale: 520 us instead of 1000 (Zen 5).
    if (shape.side == cache_block_side::both) grow_run(shape, cache_block_side::destination, most, most);
    order_nodes(shape);
    for (int k = 0; k < shape.nodes.size(); ++k)
        grow_node(shape, k, most / (shape.volume() / shape.nodes[k].block_steps));
    order_nodes(shape);
}

}  // namespace plait::engine
