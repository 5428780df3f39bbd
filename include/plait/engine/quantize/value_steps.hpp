#pragma once
// The steps of nodes in the arrays of values: an attribute's values have places of their own over the indices of the
// tensor, and the nodes of a plan are cut where these jump.

#include <plait/engine/quantize/value_conversion.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Calls what(array, attribute) for each attribute, in the order of value_array.
template <class What>
constexpr void for_each_attribute(const reorder_attributes& a, What what) {
    what(src_zero_points, a.src_zero_point);
    what(src_scales, a.src_scale);
    what(dst_scales, a.dst_scale);
    what(dst_zero_points, a.dst_zero_point);
}

/// Cuts the node of an axis that counts over the index `border` into two: up to the border, and in steps of it. Returns
/// false if the border is inside a step, or if the steps do not divide and the axis goes on outside.
constexpr bool split_at(refinement& r, int axis, dim_t border) {
    for (int k = 0; k < r.nodes.size(); ++k) {
        const reorder_node n = r.nodes[k];
        if (n.axis != axis || n.extent <= 1 || border <= n.index_step || border >= n.index_step * n.extent) continue;
        bool is_outermost = true;
        for (const reorder_node& other : r.nodes)
            is_outermost = is_outermost && (other.axis != axis || other.index_step <= n.index_step);
        const dim_t inner = border / n.index_step;
        if (border % n.index_step != 0 || n.is_uneven || r.nodes.full()) return false;
        if (n.extent % inner != 0 && !is_outermost) return false;
        reorder_node outer = n;
        outer.extent = divide_up(n.extent, inner);
        outer.index_step = border;
        outer.src = n.src * inner;
        outer.dst = n.dst * inner;
        r.nodes[k].extent = inner;
        r.nodes.push_back(outer);
        return true;
    }
    return true;
}

/// Cuts the nodes of a refinement where the places of values jump, so that each node has one step in each array.
/// Returns false if nodes and jumps do not nest.
///
/// Pre:     the axes with values were kept by coalesce_nodes
/// Example: 96 indices with a value for 32: nodes of 32 and of 3
constexpr bool split_at_values(refinement& r, const reorder_attributes& a, const dims& extents) {
    if (!has_values_by_layout(a)) return true;
    bool all = true;
    for_each_attribute(a, [&](value_array, const auto& attribute) {
        if (attribute.is_one_value()) return;
        if (attribute.where != nullptr)
            for (int axis = 0; axis < extents.size(); ++axis) all = all && attribute.where->padded_offsets[axis] == 0;
        const index_terms terms = terms_of(attribute, extents);
        for (int axis = 0; axis < extents.size(); ++axis)
            for (const jump& j : places_of(terms, axis).jumps) all = all && split_at(r, axis, j.border);
    });
    return all;
}

/// Sets what a step of each node adds to the place in the array of each attribute, and where each array begins.
///
/// Pre:     both are 0
/// Example: a scale for each channel, in blocks of 16: a step from block to block adds 16
constexpr void set_value_steps(cache_block_shape& shape, const reorder_attributes& a, const dims& extents) {
    for_each_attribute(a, [&](value_array array, const auto& attribute) {
        if (attribute.is_one_value()) return;
        const index_terms terms = terms_of(attribute, extents);
        shape.first_values[array] = attribute.where != nullptr ? attribute.where->offset0 : 0;
        for (cache_block_node& n : shape.nodes)
            n.value_steps[array] = n.tensor_axis < 0 ? 0 : places_of(terms, n.tensor_axis).step_of(n.tensor_step);
    });
}

/// Returns true if the nodes of an axis count exactly its indices, all of which are valid.
constexpr bool is_counted_exactly(const cache_block_shape& shape, int axis) {
    dim_t covered = 1;
    for (const cache_block_node& n : shape.nodes)
        if (n.axis == axis) covered *= n.extent;
    return shape.bounds[axis].valid == covered && shape.bounds[axis].stored == covered;
}
/// Returns true if a step of `outer` continues the steps of `inner` on both sides and in each array.
constexpr bool continues(const cache_block_node& outer, const cache_block_node& inner) {
    bool goes_on = outer.src == inner.src * inner.extent && outer.dst == inner.dst * inner.extent && !outer.is_uneven &&
                   !inner.is_uneven;
    for (int k = 0; k < value_arrays; ++k)
        goes_on = goes_on && outer.value_steps[k] == inner.value_steps[k] * inner.extent;
    return goes_on;
}
/// Joins nodes of different axes that are one in memory and in the arrays of values. Longer loops over rows are then
/// prepared at once.
///
/// Pre:     set_value_steps was called, and the nodes have axes of their own numbers (number_axes)
/// Example: scales for 32 of 1024 indices in each of 128 rows, dense: nodes of 32 and of 4096
constexpr void join_nodes_with_values(cache_block_shape& shape) {
    for (int i = 0; i < shape.nodes.size(); ++i)
        for (int j = 0; j < shape.nodes.size(); ++j) {
            const cache_block_node &outer = shape.nodes[i], &inner = shape.nodes[j];
            if (i == j || outer.axis == inner.axis || !continues(outer, inner) ||
                !is_counted_exactly(shape, outer.axis) || !is_counted_exactly(shape, inner.axis))
                continue;
            bool is_only_node = true, is_outermost = shape.is_outermost(j);
            for (int k = 0; k < shape.nodes.size(); ++k)
                is_only_node = is_only_node && (k == i || shape.nodes[k].axis != outer.axis);
            if (!is_only_node || !is_outermost) continue;
            axis_bound& bound = shape.bounds[inner.axis];
            bound.valid = bound.stored = bound.valid * outer.extent;
            shape.bounds[outer.axis] = {1, 1};
            shape.nodes[j].extent *= outer.extent;
            shape.nodes.erase(i);
            i = -1;
            break;
        }
}

}  // namespace plait::engine
