#pragma once
// The steps of nodes in the arrays of values: an attribute's values are a tensor with digits of its own, and the nodes
// of a plan are cut where these digits end.

#include <plait/engine/quantize/value_conversion.hpp>

namespace plait::engine {

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

/// Cuts the nodes of a refinement where the digits of values end, so that each node has one step in each array. Returns
/// false if nodes and digits do not nest.
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
        for (const index_term& term : terms_of(attribute, extents)) {
            all = all && split_at(r, term.axis, term.divisor);
            if (term.extent != 0) all = all && split_at(r, term.axis, term.divisor * term.extent);
        }
    });
    return all;
}

/// Returns what a step of a node adds to the place of a value.
///
/// Pre:     the node is not cut by a digit of the values
constexpr dim_t value_step(const index_terms& terms, int axis, dim_t index_step) {
    dim_t step = 0;
    for (const index_term& term : terms)
        if (term.axis == axis && index_step >= term.divisor &&
            (term.extent == 0 || index_step < term.divisor * term.extent))
            step += term.stride * (index_step / term.divisor);
    return step;
}

/// Sets what a step of each node adds to the place in the array of each attribute, and where each array begins.
///
/// Example: a scale for each channel, in blocks of 16: a step from block to block adds 16
constexpr void set_value_steps(cache_block_shape& shape, const reorder_attributes& a, const dims& extents) {
    for_each_attribute(a, [&](value_array array, const auto& attribute) {
        const index_terms terms = attribute.is_one_value() ? index_terms{} : terms_of(attribute, extents);
        shape.first_values[array] = attribute.where != nullptr ? attribute.where->offset0 : 0;
        for (cache_block_node& n : shape.nodes)
            n.value_steps[array] = n.tensor_axis < 0 ? 0 : value_step(terms, n.tensor_axis, n.tensor_step);
    });
}

}  // namespace plait::engine
