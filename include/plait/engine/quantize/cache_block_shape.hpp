#pragma once
// How a tensor is cut into cache blocks: parts of it that fit in the nearest cache and are dense on one side or both.
// Within a cache block, rows are converted: its first nodes as one run.

#include <plait/engine/plan/refinement.hpp>
#include <plait/engine/simd/row_conversions.hpp>

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
/// The shortest row that gets one value for all of its elements, instead of one for each element of several rows.
inline constexpr dim_t least_row_of_a_value = 32;

/// The nodes of a tensor. The nodes with more than one step in a cache block come first, in the order of its dense
/// side, the innermost first.
struct cache_block_shape {
    inline_list<cache_block_node, max_block_nodes> nodes;
    inline_list<axis_bound, max_block_nodes> bounds;
    uneven_step_list uneven_steps;
    uneven_step_list
        uneven_sums;  ///< what uneven steps add to the places of sums: `src` for s8s8, `dst` for the others
    dim_t src_offset = 0, dst_offset = 0, src_end = 0;
    dim_t line_of_destination = cache_line_bytes;  ///< elements
    dim_t first_values[value_arrays]{};            ///< the place of the first value in each array
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
    /// Returns how far a cache block reaches beyond its first place in the destination, in elements.
    constexpr dim_t destination_reach() const {
        dim_t sum = 1;
        for (const cache_block_node& n : nodes) sum += (n.block_steps - 1) * larger_of(n.dst, 0);
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
/// The end of an axis gets a cache block of its own if nearly all steps are complete and rows would have to check for
/// it: without a buffer, if another node of the axis is inside; with the buffer of the source, if the destination
/// stores a part of a step. Then no other row has to check for the end. Other blocks that are moved through a buffer do
/// not check for ends in rows, and are better longer.
///
/// Example: 728 channels in blocks of 16: 45 steps, and a cache block of one step with the last 8 channels. 1239 x 728
///          of f32, a scale for each row, acdb -> ABcd16a16b: 216 us, and 316 if all cache blocks have the end (Zen 4).
///          s8 -> f32 AB32a32b -> AB4b8a4b of 1024x1003, of which 1008 are stored: 0.57 ms, now 0.14 (Zen 5)
constexpr dim_t steps_before_end(const cache_block_shape& shape, const cache_block_node& n) {
    const bool has_buffer = shape.side != cache_block_side::both;
    const axis_bound& bound = shape.bounds[n.axis];
    const dim_t steps = (has_buffer ? bound.stored : bound.valid) / n.index_step;
    if (has_buffer && (shape.side == cache_block_side::source || bound.stored % n.index_step == 0)) return n.extent;
    const bool has_own_end = n.index_step > 1 && 4 * steps >= 3 * n.extent;
    return has_own_end && steps < n.extent ? steps : n.extent;
}

/// Returns how many steps of a node a cache block has, given room for `room` steps. It has all steps if they fit. Else
/// it has a divisor if an outer node of the same axis exists. Else the parts are nearly equal, and if they are long,
/// they are whole cache lines of the destination, or else whole vectors; if the end of the axis gets a cache block of
/// its own, it has few of the steps before it.
constexpr dim_t steps_in_cache_block(const cache_block_shape& shape, int node, dim_t room) {
    const cache_block_node& n = shape.nodes[node];
    if (n.is_uneven) return 1;
    if (n.has_values() && room > most_values_of_a_row) room = most_values_of_a_row;
    const dim_t before_end = shape.is_outermost(node) ? steps_before_end(shape, n) : n.extent;
    if (room >= n.extent) return before_end;
    if (room <= 1) return 1;
    if (!shape.is_outermost(node)) {
        dim_t steps = room;
        while (n.extent % steps != 0) --steps;
        return steps;
    }
    if (before_end < n.extent && shape.side != cache_block_side::both) {
        dim_t best = smaller_of(room, before_end);
        for (dim_t steps = best; steps > room / 2; --steps)
            if (before_end % steps < before_end % best) best = steps;
        return best;
    }
    if (room < 16) return static_cast<dim_t>(std::bit_floor(static_cast<std::uint64_t>(room)));
    const dim_t whole = n.dst == 1 && room >= shape.line_of_destination ? larger_of(16, shape.line_of_destination) : 16,
                parts = divide_up(n.extent, room / whole * whole);
    return divide_up(divide_up(n.extent, parts), whole) * whole;
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
        if (shape.nodes[next].block_steps != shape.nodes[next].extent) {
            const dim_t room = most / (shape.volume() / shape.nodes[next].block_steps), more = divide_up(wanted, run);
            grow_node(shape, next, room < more ? room : more);
        }
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

/// Returns the number of adjacent elements on a side for which values need not be gathered, at most `enough`: each
/// array has one value for all of them, or has their values in the same order.
///
/// Example: ab of 525 x 32, a scale for each index of both: 16800; ba: 1
constexpr dim_t run_of_ready_values(const cache_block_shape& shape, cache_block_side where, dim_t enough) {
    dim_t run = 1;
    bool is_adjacent[attribute_arrays]{};
    for (int k = 0; k < shape.nodes.size() && run < enough; ++k) {
        const cache_block_node& n = shape.nodes[k];
        if (n.extent <= 1 || n.is_uneven || !shape.is_dense_at(n, run, where)) continue;
        const bool has_one_element = shape.bounds[n.axis].valid <= n.index_step;
        for (int array = 0; array < attribute_arrays; ++array) {
            const dim_t step = has_one_element ? 0 : n.value_steps[array];
            if (run == 1) is_adjacent[array] = step == 1;
            if (step != (is_adjacent[array] ? run : 0)) return run;
        }
        run *= n.extent;
        k = -1;
    }
    return run < enough ? run : enough;
}

/// Chooses how many steps of each node a cache block has, for these element sizes: first whole cache lines on both
/// sides, then longer runs, then as much as there is room for.
///
/// If values have to be gathered, nodes along which they stay the same grow before runs do: the values of a row are
/// gathered once for each cache block.
///
/// Example: u8 ABcd8b32a -> AcdB48a2b of 32x474x7x7, a scale for each index of a and b: a cache block has 96 values for
///          49 places, instead of 7296 values for one
/// Pre:     every node has block_steps 1; shape.side is chosen
/// Post:    shape.volume() <= most, and the nodes are in order
constexpr void choose_cache_block(cache_block_shape& shape, int src_bytes, int dst_bytes, dim_t most) {
    shape.line_of_destination = cache_line_bytes / dst_bytes;
    if (shape.side == cache_block_side::both) grow_run(shape, cache_block_side::both, most, most);
    const auto grow = [&](bool source, dim_t lines) {
        if (source) grow_run(shape, cache_block_side::source, lines * (src_bytes > 1 ? 128 / src_bytes : 64), most);
        else grow_run(shape, cache_block_side::destination, lines * 64 / dst_bytes, most);
    };
    const bool at_source = shape.side == cache_block_side::source;
    grow(false, 1);
    grow(true, 1);
    constexpr dim_t enough_ready = 64;
    const dim_t ready = run_of_ready_values(shape, shape.side, enough_ready);
    if (shape.side != cache_block_side::both && ready < dense_run(shape, shape.side, enough_ready))
        for (int k = 0; k < shape.nodes.size(); ++k)
            if (!shape.nodes[k].has_values()) grow_node(shape, k, most / (shape.volume() / shape.nodes[k].block_steps));
    grow(at_source, 4);
    grow(!at_source, 4);
    // The destination's run grows first: the CPU prefetches lines that follow each other, also those that are written.
    // bf16 cdba -> ABcd8b16a of 512x512x3x3, a scale: 520 us instead of 1000 (Zen 5).
    if (shape.side == cache_block_side::both) grow_run(shape, cache_block_side::destination, most, most);
    order_nodes(shape);
    for (int k = 0; k < shape.nodes.size(); ++k)
        if (shape.nodes[k].block_steps != shape.nodes[k].extent)
            grow_node(shape, k, most / (shape.volume() / shape.nodes[k].block_steps));
    order_nodes(shape);
}

// The row of a cache block: the first nodes that are converted as one run.
//
// Example: s8 abcd of 54 x 50 x 1 x 2 into 16a16b. The innermost nodes of the source are d with 2 steps, then channels
//          b. A cache block has 64 channels in its row: 128 elements. A cache block that passes the end of the axis of
//          50 has 100.

/// The first nodes of a cache block as one row: all steps of each node, except that the last one may have only some of
/// its steps.
struct cache_block_row {
    int nodes = 0;
    dim_t length = 1;
    dim_t last = 1;  ///< steps of the last node; they divide its steps in the cache block
    // The axis along which a row may end (-1: none), which the last nodes of the row count; how far one step of the
    // first of these nodes goes along it; and how many elements that step has.
    int end_axis = -1;
    dim_t end_index_step = 1, end_elements = 1;

    /// Returns how many elements of a row are before the end of `axis`, which is `remaining` indices away.
    constexpr dim_t elements_before_end(int axis, dim_t remaining) const {
        if (remaining <= 0) return 0;
        if (axis != end_axis) return length;
        const dim_t here = divide_up(remaining, end_index_step) * end_elements;
        return here < length ? here : length;
    }
    /// Returns the distance along an axis, in indices, from the first element of a row to its last.
    constexpr dim_t reach_along(int axis) const {
        return axis == end_axis ? (length / end_elements - 1) * end_index_step : 0;
    }
};

/// Returns the least share of valid elements with which a cache block is converted whole, if its rows would otherwise
/// be clipped. A row costs as much as some hundred elements of a long row, so the shorter clipped rows are, the more
/// elements may be converted in vain.
///
/// Example: u8 into aCdB16c2b with beta: 3 of 16 channels c, so a clipped row is 2 elements of b. 65 x 67 x 3 x 3 takes
///          390 us in clipped rows and 85 whole (Zen 5)
constexpr double least_share_of_elements(const cache_block_row& clipped) {
    constexpr dim_t long_row = 16;
    return clipped.length >= long_row ? 0.25 : 0.25 * static_cast<double>(clipped.length) / long_row;
}

/// Returns how many steps of a node a row with different values takes. The result divides the steps of the cache block,
/// and is the most that there is room for. A number between half of that and all of it is preferred if it makes rows
/// whole registers, so that every row begins at a register.
constexpr dim_t steps_of_values(dim_t cache_block, dim_t row, dim_t most_values) {
    dim_t most = most_values / row;
    while (cache_block % most != 0) --most;
    for (dim_t steps = most; 2 * steps >= most && steps > 1; --steps)
        if (cache_block % steps == 0 && row * steps % most_numbers_at_once == 0) return steps;
    return most;
}

/// The number of adjacent rows that fills the registers with which a CPU computes at the same time.
inline constexpr dim_t enough_rows = 8;

/// The shortest row with one value if its elements are packed: they are unpacked by a table for each value.
inline constexpr dim_t least_row_of_packed_values = 16;

/// Returns true if a row that may end within a cache block can take one more node. After the node of the axis on which
/// the row ends, only nodes that continue the same axis can follow. With values by index, none can: only the last node
/// of a row with values may have fewer steps. With sums, a row has one node, or does not end. `ends` has the axes on
/// which rows end, as a mask.
///
/// Example: s8 abcd of 54 x 50 x 1 x 2 into 16a16b: rows of 2 places and the valid ones of 64 channels b: 100 elements
constexpr bool may_take(const cache_block_shape& shape, int node, const cache_block_row& row, int ends) {
    const cache_block_node& n = shape.nodes[node];
    const bool may_be_last = row.end_axis < 0 && !shape.rows_have_one_value;
    if (node > 0 && (row.end_axis >= 0 || (ends >> n.axis & 1) != 0))
        for (int k = 0; k < shape.inner; ++k)
            for (int array = may_be_last ? attribute_arrays : 0; array < value_arrays; ++array)
                if (shape.nodes[k].value_steps[array] != 0) return false;
    if (row.end_axis < 0) return true;
    const cache_block_node& before = shape.nodes[node - 1];
    return n.axis == row.end_axis && n.index_step == before.index_step * before.block_steps;
}

/// Returns true if rows should end at this node, where their values start to repeat. This is so if no row has room for
/// all values of the cache block (each row would prepare as many values as it has elements), and there are many shorter
/// rows side by side. Large tensors are excluded, because long rows matter more there: u8 -> f16 of 64 MB takes 9 ms
/// instead of 26 (Zen 4).
///
/// Example: ab -> AB8b32a2b, a scale for each index of b: along b 2 and then 96 steps, between them 32 along a. Rows
///          have 2 x 8 elements, with 96 sets of scales, each repeated 4 times; not 2 x 32 x 16 elements with 1024
///          scales
constexpr bool ends_where_values_repeat(const cache_block_shape& shape, int node) {
    dim_t elements = 1, up_to_values = 1, longest = 1;
    for (int k = 0; k < shape.inner; ++k) {
        elements *= shape.nodes[k].block_steps;
        if (shape.nodes[k].has_values()) up_to_values = elements;
        if (k > node && shape.nodes[k].block_steps > longest) longest = shape.nodes[k].block_steps;
    }
    return !shape.is_large && up_to_values > most_values_of_a_row && longest >= enough_rows;
}
/// Returns the fewest steps of a node that make a row of whole registers, given the length `row` of the nodes before
/// it; all steps if none do.
constexpr dim_t steps_of_registers(dim_t cache_block, dim_t row) {
    for (dim_t steps = 1; steps < cache_block; ++steps)
        if (cache_block % steps == 0 && row * steps % most_numbers_at_once == 0) return steps;
    return cache_block;
}

/// Returns the most values of a row. If neighbours of a row's values in an array are those of the next rows, four rows
/// are prepared together, so that a cache line of values is read once.
///
/// Example: cdba of 640x640x3x3, a scale for each index of a and b, whose values along a are 640 floats apart: 256
constexpr dim_t most_values_in(const cache_block_shape& shape) {
    constexpr int together = 4;
    for (int array = 0; array < attribute_arrays; ++array)
        for (int k = 1; k < shape.inner; ++k)
            if (shape.nodes[0].value_steps[array] > 1 && shape.nodes[k].value_steps[array] == 1 &&
                shape.nodes[k].block_steps >= together)
                return most_values_of_a_row / together;
    return most_values_of_a_row;
}

/// Returns true if a row that takes `steps` of its next node has more values than there is room for.
constexpr bool is_too_long(const cache_block_shape& shape, const cache_block_row& row, dim_t steps, bool has_values) {
    return row.nodes > 0 && has_values && row.length * steps > most_values_in(shape);
}
/// Returns how many steps of its next node a row takes; 0 if it would take only one. `has_values`: the nodes of the row
/// so far have values by index.
constexpr dim_t steps_in_row(const cache_block_shape& shape, const cache_block_row& row, bool has_values) {
    const cache_block_node& n = shape.nodes[row.nodes];
    dim_t steps = n.block_steps;
    if (shape.rows_have_one_value && !has_values && n.has_values() && row.length >= least_row_of_packed_values)
        return 0;
    if (has_values && !n.has_values() && ends_where_values_repeat(shape, row.nodes))
        steps = steps_of_registers(n.block_steps, row.length);
    if (is_too_long(shape, row, steps, has_values || n.has_values())) {
        const dim_t most = most_values_in(shape);
        if (row.length > most || (!has_values && row.length >= least_row_of_a_value)) return 0;
        steps = steps_of_values(n.block_steps, row.length, most);
    }
    return steps == 1 && row.nodes > 0 ? 0 : steps;
}

/// Returns true if elements of a row have different values. The row then has at most most_values_of_a_row elements.
constexpr bool has_values_within(const cache_block_shape& shape, const cache_block_row& row) {
    for (int k = 0; k < row.nodes; ++k)
        if (shape.nodes[k].has_values()) return true;
    return false;
}

/// Returns the longest row that the first nodes of a cache block make, if rows end on the axes of the mask `ends`. It
/// is dense on the converted side, and the places of its sums are a run.
constexpr cache_block_row find_row_to_ends(const cache_block_shape& shape, int ends) {
    cache_block_row row;
    bool has_values = false;
    for (int k = 0; k < shape.inner; ++k) {
        const cache_block_node& n = shape.nodes[k];
        const cache_block_node& first = shape.nodes[0];
        if (!shape.is_dense_at(n, row.length, shape.side)) break;
        if (ends != 0 && !may_take(shape, k, row, ends)) break;
        const dim_t steps = steps_in_row(shape, row, has_values);
        has_values = has_values || n.has_values();
        if (steps == 0 || (ends != 0 && is_too_long(shape, row, n.block_steps, has_values))) break;
        bool is_run = true;
        for (int sums = attribute_arrays; sums < value_arrays && k > 0; ++sums)
            is_run = is_run &&
                     n.value_steps[sums] == (first.value_steps[sums] == 0 ? 0 : first.value_steps[sums] * row.length);
        if (!is_run) break;
        if (row.end_axis < 0 && (ends >> n.axis & 1) != 0) {
            row.end_axis = n.axis;
            row.end_index_step = n.index_step;
            row.end_elements = row.length;
        }
        row.length *= steps;
        row.last = steps;
        row.nodes = k + 1;
        if (steps != n.block_steps) break;
    }
    return row;
}
/// Returns the longest row of cache blocks that pass no end of an axis, or, if it may end, of those that pass any.
constexpr cache_block_row find_row(const cache_block_shape& shape, bool may_end) {
    int ends = 0;
    for (int a = 0; may_end && a < shape.bounds.size(); ++a) ends |= shape.is_bounded(a) ? 1 << a : 0;
    return find_row_to_ends(shape, ends);
}

}  // namespace plait::engine
