#pragma once
// The plan of a reorder that converts, scales, or sums: from two layouts and attributes to panels.

#include <plait/runtime/check_descriptor_reorder.hpp>
#include <plait/runtime/values_panels.hpp>

namespace plait {

/// A compensation that is summed on the way: s32 by place, in bytes from where offset 0 of the destination lies.
struct value_sums {
    std::size_t begin = 0, count = 0;  ///< no sums: there is no such compensation
    int mask = 0;
};

struct values_plan {
    value_conversion how;
    value_sums s8s8, asymmetric_source;

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
constexpr void set_places(panel_node& node, int axis, const reorder_attributes& a, const dims& extents,
                          const dims& padded, const value_sums& s8s8, const value_sums& asymmetric_source) {
    const auto step = [axis](const dims& along, int mask) { return mask_strides(along, mask)[axis]; };
    const dim_t steps[value_arrays] = {step(extents, a.src_zero_point.mask),
                                       step(extents, a.src_scale.mask),
                                       step(extents, a.dst_scale.mask),
                                       step(extents, a.dst_zero_point.mask),
                                       s8s8.count != 0 ? step(padded, s8s8.mask) : 0,
                                       asymmetric_source.count != 0 ? step(padded, asymmetric_source.mask) : 0};
    for (int k = 0; k < value_arrays; ++k) node.places[k] = steps[k] * node.weight;
}

/// The refinement as nodes of panels, with as few axes as there are; false if there are too many.
constexpr bool take_nodes(panel_shape& shape, const refinement& r) {
    if (r.nodes.size() > max_panel_nodes || r.nodes.empty()) return false;
    shape.src_offset = r.src_offset;
    shape.dst_offset = r.dst_offset;
    shape.src_end = r.src_end;
    int number[max_nodes]{};  // of an axis, from 1 on
    for (const reorder_node& n : r.nodes) {
        if (number[n.axis] == 0) {
            shape.limits.push_back(r.limits[n.axis]);
            number[n.axis] = shape.limits.size();
        }
        panel_node node;
        node.axis = number[n.axis] - 1;
        node.carries = n.carries;
        node.extent = n.extent;
        node.weight = n.weight;
        node.src = n.src;
        node.dst = n.dst;
        shape.nodes.push_back(node);
    }
    for (const step_carry& carry : r.carries) {
        step_carry here = carry;
        here.axis = number[carry.axis] - 1;
        if (here.axis >= 0) shape.carries.push_back(here);
    }
    return true;
}

/// The panels of a pair of tensors, without a mover; false where there is no refinement, or one of too many nodes.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); panels is as it is made
constexpr bool plan_panels(const values_plan& plan, values_panels& panels, const layout& src, const layout& dst,
                           dim_t src_span) {
    if (dst.volume() == 0 || dst.padded_volume() == 1) return false;
    refinement r;
    if (!refine(r, src, dst, src_span)) return false;
    const reorder_attributes& a = plan.how.attributes;
    const int kept = a.src_zero_point.mask | a.src_scale.mask | a.dst_scale.mask | a.dst_zero_point.mask |
                     (plan.s8s8.count != 0 ? plan.s8s8.mask : 0) |
                     (plan.asymmetric_source.count != 0 ? plan.asymmetric_source.mask : 0);
    coalesce_nodes(r, kept);
    panel_shape& shape = panels.shape;
    if (!take_nodes(shape, r)) return false;
    for (int k = 0; k < r.nodes.size(); ++k)
        if (const int axis = r.nodes[k].axis; axis < dst.ndims() && (kept >> axis & 1) != 0)
            set_places(shape.nodes[k], axis, a, dst.dims, dst.padded_dims, plan.s8s8, plan.asymmetric_source);
    cut_panels(plan.how, panels, choose_side(shape, plan.how));
    return true;
}

}  // namespace plait
