#pragma once
// The row of a cache block: the first nodes that are converted as one run.
//
// Example: s8 abcd of 54 x 50 x 1 x 2 into 16a16b. The innermost nodes of the source are d with 2 steps, then channels
//          b. A cache block has 64 channels in its row: 128 elements. A cache block that passes the end of the axis of
//          50 has 100.

#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/simd/row_conversions.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

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
/// The shortest row that gets one value for all of its elements, instead of one for each element of several rows.
inline constexpr dim_t least_row_of_a_value = 32;

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
