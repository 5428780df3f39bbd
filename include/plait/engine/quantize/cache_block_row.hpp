#pragma once
// The row of a cache block: how many of its first nodes are converted as one run.
//
// s8 abcd of 54 x 50 x 1 x 2 into 16a16b: at the source 2 places, then channels b. A cache block has 64 channels in its
// row, 128 elements; one that passes the end of the axis 50, 100 elements.

#include <plait/engine/quantize/cache_block_shape.hpp>
#include <plait/engine/simd/row_conversions.hpp>

namespace plait::engine {

/// The first nodes of a cache block, as one row: all steps of each but the last, of which it has some.
struct cache_block_row {
    int nodes = 0;
    dim_t length = 1;
    dim_t last = 1;  ///< steps of the last node; they divide those of the cache block
    // Where a row may end: along which axis, which is counted by the last nodes, how far a step of the first of these
    // goes along it, and how many elements that step is.
    int end_axis = -1;
    dim_t end_index_step = 1, end_elements = 1;

    /// How many elements are left where so much of an axis is.
    constexpr dim_t elements_before_end(int axis, dim_t remaining) const {
        if (remaining <= 0) return 0;
        if (axis != end_axis) return length;
        const dim_t here = divide_up(remaining, end_index_step) * end_elements;
        return here < length ? here : length;
    }
    /// How far the last element is along an axis from the first.
    constexpr dim_t reach_along(int axis) const {
        return axis == end_axis ? (length / end_elements - 1) * end_index_step : 0;
    }
};

/// How many steps of a node go into a row of values that differ: of those that divide its cache block the most that
/// there is room for, or half as many if rows are whole registers then, and all begin where registers do.
constexpr dim_t steps_of_values(dim_t cache_block, dim_t row) {
    dim_t most = most_values_of_a_row / row;
    while (cache_block % most != 0) --most;
    for (dim_t steps = most; 2 * steps >= most && steps > 1; --steps)
        if (cache_block % steps == 0 && row * steps % most_numbers_at_once == 0) return steps;
    return most;
}

/// Rows of as many elements have one value each, rather than one for each element of several rows.
inline constexpr dim_t least_row_of_a_value = 32;

/// Whether a row that may end within a cache block may have one more node: along the axis that it ends on only such as
/// go on from the one before. With values it ends nowhere, or is of one node.
///
/// Example: s8 abcd of 54 x 50 x 1 x 2 into 16a16b: rows of 2 places and, of 64 channels b, those that are there: 100
constexpr bool may_take(const cache_block_shape& shape, int node, const cache_block_row& row) {
    const cache_block_node& n = shape.nodes[node];
    if (node > 0 && (row.end_axis >= 0 || shape.is_bounded(n.axis)))
        for (int k = 0; k < shape.inner; ++k)
            for (const dim_t step : shape.nodes[k].value_steps)
                if (step != 0) return false;
    if (row.end_axis < 0) return true;
    const cache_block_node& before = shape.nodes[node - 1];
    return n.axis == row.end_axis && n.index_step == before.index_step * before.block_steps;
}

/// The longest row that a cache block's first nodes make: dense where it is converted, and such that its values, and
/// the places of its sums, are a run.
constexpr cache_block_row find_row(const cache_block_shape& shape, bool may_end) {
    cache_block_row row;
    bool has_values = false;
    for (int k = 0; k < shape.inner; ++k) {
        const cache_block_node& n = shape.nodes[k];
        const cache_block_node& first = shape.nodes[0];
        if (!shape.is_dense_at(n, row.length, shape.side)) break;
        if (may_end && !may_take(shape, k, row)) break;
        const bool repeats = has_values;  // values that the row has already
        has_values = has_values || n.has_values();
        dim_t steps = n.block_steps;
        if (k > 0 && has_values && row.length * steps > most_values_of_a_row) {
            if (may_end || row.length > most_values_of_a_row || (!repeats && row.length >= least_row_of_a_value)) break;
            steps = steps_of_values(n.block_steps, row.length);
            if (steps == 1) break;
        }
        bool is_run = true;
        for (int sums = attribute_arrays; sums < value_arrays && k > 0; ++sums)
            is_run = is_run &&
                     n.value_steps[sums] == (first.value_steps[sums] == 0 ? 0 : first.value_steps[sums] * row.length);
        if (!is_run) break;
        if (may_end && row.end_axis < 0 && shape.is_bounded(n.axis)) {
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

}  // namespace plait::engine
