#pragma once
// The plan of a reorder that converts, scales, or sums: from two layouts and attributes to cache blocks.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/engine/plan/coalesce.hpp>
#include <plait/engine/quantize/cache_blocks.hpp>

namespace plait::engine {

/// A compensation that is summed on the way: s32 by place, in bytes from where offset 0 of the destination lies.
struct compensation_sums {
    std::size_t begin = 0, count = 0;  ///< no sums: there is no such compensation
    int mask = 0;
};

struct values_plan {
    value_conversion conversion;
    compensation_sums s8s8, asymmetric_source;

    /// Whether all sums of asymmetric_source are those of s8s8.
    constexpr bool has_equal_sums() const {
        return s8s8.count != 0 && asymmetric_source.count != 0 && s8s8.mask == asymmetric_source.mask;
    }
};

/// The layouts, for what goes element by element.
struct values_layouts {
    layout src, dst;
};

/// The steps of each node in the arrays, from those of each axis.
constexpr void set_value_steps(cache_block_node& node, int axis, const reorder_attributes& a, const dims& extents,
                               const dims& padded, const compensation_sums& s8s8,
                               const compensation_sums& asymmetric_source) {
    const auto step = [axis](const dims& along, int mask) { return mask_strides(along, mask)[axis]; };
    const dim_t steps[value_arrays] = {step(extents, a.src_zero_point.mask),
                                       step(extents, a.src_scale.mask),
                                       step(extents, a.dst_scale.mask),
                                       step(extents, a.dst_zero_point.mask),
                                       s8s8.count != 0 ? step(padded, s8s8.mask) : 0,
                                       asymmetric_source.count != 0 ? step(padded, asymmetric_source.mask) : 0};
    for (int k = 0; k < value_arrays; ++k) node.value_steps[k] = steps[k] * node.index_step;
}

/// The nodes of a refinement as those of cache blocks, along the axes of the tensor; false if there are too many.
constexpr bool take_nodes(cache_block_shape& shape, const refinement& r) {
    if (r.nodes.size() > max_block_nodes || r.nodes.empty()) return false;
    shape.src_offset = r.src_offset;
    shape.dst_offset = r.dst_offset;
    shape.src_end = r.src_end;
    for (const reorder_node& n : r.nodes) {
        cache_block_node node;
        node.axis = n.axis;
        node.is_uneven = n.is_uneven;
        node.extent = n.extent;
        node.index_step = n.index_step;
        node.src = n.src;
        node.dst = n.dst;
        shape.nodes.push_back(node);
    }
    return true;
}

/// Gives the nodes as few axes as there are, none of which ends where no node is cut: whose value is taken is known by
/// now, and axes are but what ends together.
constexpr void number_axes(cache_block_shape& shape, refinement& r) {
    separate_uncut_blocks(r, 0);
    int number[max_nodes]{};  // of an axis, from 1 on
    for (int k = 0; k < r.nodes.size(); ++k) {
        const reorder_node& n = r.nodes[k];
        if (number[n.axis] == 0) {
            shape.bounds.push_back(r.bounds[n.axis]);
            number[n.axis] = shape.bounds.size();
        }
        shape.nodes[k].axis = number[n.axis] - 1;
        shape.nodes[k].index_step = n.index_step;
    }
    for (const uneven_step& uneven : r.uneven_steps) {
        uneven_step here = uneven;
        here.axis = number[uneven.axis] - 1;
        if (here.axis >= 0) shape.uneven_steps.push_back(here);
    }
}

/// The cache blocks of a pair of tensors, without a block copy; false where there is no refinement, or one of too many
/// nodes.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); cache blocks is as it is made
constexpr bool plan_cache_blocks(const values_plan& plan, cache_block_plan& blocks, const layout& src,
                                 const layout& dst, dim_t src_span) {
    if (dst.volume() == 0 || dst.padded_volume() == 1) return false;
    refinement r;
    if (!refine(r, src, dst, src_span)) return false;
    const reorder_attributes& a = plan.conversion.attributes;
    if (a.beta == 0 && plan.s8s8.count + plan.asymmetric_source.count == 0 &&
        leave_out_padding_of_values(r, src, dst, plan.conversion.dst_bytes))
        blocks.zeroed = all_of(dst, plan.conversion.dst_bytes);
    const int kept = a.src_zero_point.mask | a.src_scale.mask | a.dst_scale.mask | a.dst_zero_point.mask |
                     (plan.s8s8.count != 0 ? plan.s8s8.mask : 0) |
                     (plan.asymmetric_source.count != 0 ? plan.asymmetric_source.mask : 0);
    coalesce_nodes(r, kept);
    cache_block_shape& shape = blocks.shape;
    if (!take_nodes(shape, r)) return false;
    for (int k = 0; k < r.nodes.size(); ++k)
        if (const int axis = r.nodes[k].axis; axis < dst.ndims() && (kept >> axis & 1) != 0)
            set_value_steps(shape.nodes[k], axis, a, dst.dims, dst.padded_dims, plan.s8s8, plan.asymmetric_source);
    number_axes(shape, r);
    cut_cache_blocks(plan.conversion, blocks, choose_side(shape, plan.conversion));
    return true;
}

}  // namespace plait::engine
