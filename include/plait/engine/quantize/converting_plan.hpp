#pragma once
// The plan of a reorder that converts, scales or sums: cache blocks made from two layouts and attributes, and the parts
// of a plan that may run concurrently.

#include <plait/contract/check_descriptor_reorder.hpp>
#include <plait/engine/plan/refinement.hpp>
#include <plait/engine/quantize/cache_blocks.hpp>
#include <plait/engine/quantize/value_steps.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A compensation, as an array of s32 sums. `begin` is in bytes from offset 0 of the destination.
struct compensation_sums {
    std::size_t begin = 0, count = 0;  ///< count 0: there is no such compensation
    int mask = 0;
};

struct converting_plan {
    value_conversion conversion;
    compensation_sums s8s8, asymmetric_source;

    /// Returns true if the sums of asymmetric_source equal those of s8s8.
    constexpr bool has_equal_sums() const {
        return s8s8.count != 0 && asymmetric_source.count != 0 && s8s8.mask == asymmetric_source.mask;
    }
};

/// The plan that one run uses: the given one, or a copy without attributes if the values of their arrays are neutral
/// when the run begins. Arrays belong to the caller, so that their values may differ between runs.
class plan_of_run {
public:
    explicit plan_of_run(const converting_plan& plan) : plan_(&plan) {
        if (!plan.conversion.values_are_neutral()) return;
        own_ = plan;
        own_->conversion.copy_elements();
        plan_ = &*own_;
    }
    plan_of_run(const plan_of_run&) = delete;
    plan_of_run& operator=(const plan_of_run&) = delete;
    const converting_plan& operator*() const { return *plan_; }

private:
    std::optional<converting_plan> own_;
    const converting_plan* plan_;
};

/// The two layouts of a reorder that moves element by element.
struct converting_layouts {
    layout src, dst;
};

/// Sets what a step of each node adds to the place of a sum: the stride of compensation_layout. This stride is unique,
/// because a node lies within one digit of the destination, or within several that are one in memory; these are one
/// among the sums too, so a node may also be cut within them. Uneven steps are kept in `uneven_sums`. Returns false if
/// there are too many of them.
///
/// Pre:     the nodes count the axes of the refinement
/// Example: sums by both axes of ab -> Ab16a: 1 for a step within the 16, 16 for one along b
constexpr bool set_sum_steps(cache_block_shape& shape, const compensation_sums& sums, value_array array,
                             const layout& dst) {
    if (sums.count == 0 || sums.mask == 0) return true;
    layout places = dst;
    const inline_list<dim_t, max_digits> steps = compensation_strides(dst, sums.mask);
    for (int k = 0; k < steps.size(); ++k) places.digits[k].stride = steps[k];
    for (cache_block_node& n : shape.nodes) {
        if (n.tensor_axis < 0 || (sums.mask >> n.tensor_axis & 1) == 0) continue;
        const axis_places sum_places = places_of(places, n.tensor_axis, dst.padded_dims[n.tensor_axis]);
        n.value_steps[array] = sum_places.step_of(n.tensor_step);
        const side as = array == s8s8_sums ? side::source : side::destination;
        if (n.is_uneven && !add_uneven_steps(shape.uneven_sums, n.axis, sum_places, n.tensor_step, as)) return false;
    }
    return true;
}

/// Converts the nodes of a refinement to nodes of cache blocks. Returns false if there are too many, or none. `kept` is
/// a mask of the tensor's axes along which values may depend on the index.
constexpr bool take_nodes(cache_block_shape& shape, const refinement& r, int kept) {
    if (r.nodes.size() > max_block_nodes || r.nodes.empty()) return false;
    shape.src_offset = r.src_offset;
    shape.dst_offset = r.dst_offset;
    shape.src_end = r.src_end;
    for (const reorder_node& n : r.nodes) {
        const bool is_kept = n.axis < max_ndims && (kept >> n.axis & 1) != 0;
        cache_block_node node;
        node.axis = n.axis;
        node.is_uneven = n.is_uneven;
        node.extent = n.extent;
        node.index_step = n.index_step;
        node.src = n.src;
        node.dst = n.dst;
        node.tensor_axis = is_kept ? n.axis : -1;
        node.tensor_step = n.index_step;
        shape.nodes.push_back(node);
    }
    return true;
}

/// Renumbers the axes of the nodes: only axes with nodes are kept, and an axis that no cache block cuts has no end. By
/// now the steps of values are known, and an axis only says which nodes end together.
constexpr void number_axes(cache_block_shape& shape, refinement& r) {
    separate_uncut_blocks(r, 0);
    int number[max_nodes]{};  // the new number of an axis, from 1; 0: none yet
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
    for (uneven_step& uneven : shape.uneven_sums) uneven.axis = number[uneven.axis] - 1;
}

/// Returns the axes along which a plan has values or sums by index, as a mask.
constexpr int axes_with_values(const converting_plan& plan) {
    return axes_with_values(plan.conversion.attributes) | (plan.s8s8.count != 0 ? plan.s8s8.mask : 0) |
           (plan.asymmetric_source.count != 0 ? plan.asymmetric_source.mask : 0);
}

/// Makes the cache blocks of a pair of tensors, without a block copy. Returns false if there is no refinement, or one
/// with too many nodes.
///
/// `values_are_known`: false if the attributes only stand for others, whose values may have other steps.
///
/// Pre:     check_reorder(src, dst, attributes).ok(); `blocks` is default-constructed
constexpr bool plan_cache_blocks(const converting_plan& plan, cache_block_plan& blocks, const layout& src,
                                 const layout& dst, dim_t src_end, bool values_are_known = true) {
    if (dst.volume() == 0 || dst.padded_volume() == 1) return false;
    refinement r;
    if (!refine(r, src, dst, src_end)) return false;
    const reorder_attributes& a = plan.conversion.attributes;
    if (a.beta == 0 && !plan.conversion.writes_packed() && plan.s8s8.count + plan.asymmetric_source.count == 0 &&
        leave_out_padding_of_values(r, src, dst, plan.conversion.dst_bytes))
        blocks.zeroed = all_of(dst, plan.conversion.dst_bytes);
    const int kept = axes_with_values(plan);
    coalesce_nodes(r, kept);
    if (!split_at_values(r, a, dst.dims)) return false;
    cache_block_shape& shape = blocks.shape;
    if (!take_nodes(shape, r, kept)) return false;
    shape.is_large = dst.padded_volume() >= streaming_bytes / (plan.conversion.src_bytes + plan.conversion.dst_bytes);
    shape.rows_have_one_value = plan.conversion.reads_packed() || plan.conversion.writes_packed();
    set_value_steps(shape, a, dst.dims);
    if (!set_sum_steps(shape, plan.s8s8, s8s8_sums, dst) ||
        !set_sum_steps(shape, plan.asymmetric_source, asymmetric_source_sums, dst))
        return false;
    number_axes(shape, r);
    if (values_are_known && plan.conversion.has_arrays()) join_nodes_with_values(shape);
    cut_cache_blocks(plan.conversion, blocks, choose_side(shape, plan.conversion));
    return true;
}

// How a plan of values is cut into parts that may run concurrently. Each part is some of the cache blocks.

/// A range of the units into which a plan can be cut.
struct converting_part {
    dim_t begin = 0, end = 0;
    constexpr bool is_empty() const { return begin >= end; }
    constexpr bool operator==(const converting_part&) const = default;
};

/// The loops around the cache blocks: first the loops that stay together in a part, then the loops whose steps are
/// units.
struct values_loops {
    inline_list<int, max_block_nodes> nodes;
    int together = 0;  ///< the number of nodes that stay together
    dim_t units = 1;
};

/// Returns true if cache blocks at different steps of a node never add to the same sum. This is so if sums are by index
/// along the node's axis.
///
/// Example: s8 weights with sums by output channel: true for a loop along output channels, false along input channels
constexpr bool has_own_sums(const converting_plan& plan, const cache_block_node& node) {
    return (plan.s8s8.count == 0 || node.value_steps[s8s8_sums] != 0) &&
           (plan.asymmetric_source.count == 0 || node.value_steps[asymmetric_source_sums] != 0);
}

/// Returns true if no two cache blocks write elements that share a byte. The runs of a cache block then begin at a
/// byte, and end at one or before the end of an axis.
constexpr bool writes_whole_bytes(const converting_plan& plan, const cache_block_plan& blocks) {
    const dim_t bits = size_in_bits(plan.conversion.dst_memory);
    const auto is_whole = [bits](dim_t places) { return places * bits % 8 == 0; };
    if (bits % 8 == 0) return true;
    if (!is_whole(blocks.shape.dst_offset) || !blocks.shape.uneven_steps.empty()) return false;
    for (const cache_block_node& n : blocks.shape.nodes) {
        const bool is_within = n.dst == 1 && (n.block_steps == n.extent || is_whole(n.block_steps));
        if (!is_within && !is_whole(n.dst)) return false;
    }
    return true;
}

/// Returns the loops around the cache blocks, split into loops that stay together and loops whose steps are units.
///
/// Pre:     plan_cache_blocks has cut the cache blocks
/// Post:    cache blocks of different units write no byte in common, sums included
constexpr values_loops find_loops(const converting_plan& plan, const cache_block_plan& blocks) {
    values_loops out;
    const bool may_be_apart = writes_whole_bytes(plan, blocks);
    for (const bool apart : {false, true}) {
        for (const int k : blocks.order) {
            const cache_block_node& node = blocks.shape.nodes[k];
            if ((may_be_apart && has_own_sums(plan, node)) != apart) continue;
            out.nodes.push_back(k);
            if (apart) out.units *= divide_up(node.extent, node.block_steps);
        }
        if (!apart) out.together = out.nodes.size();
    }
    return out;
}

/// Returns the part of chunk number `chunk` of `chunks`. The first chunks may have one unit more than the last. If
/// there are more chunks than units, the last chunks are empty.
///
/// Pre:     0 <= chunk < chunks
/// Post:    the parts of all chunks are all units, each once, in order
constexpr converting_part part_of(const values_loops& loops, int chunk, int chunks) {
    const dim_t each = loops.units / chunks, more = loops.units % chunks;
    const auto begin = [&](dim_t c) { return each * c + (c < more ? c : more); };
    return {begin(chunk), begin(chunk + 1)};
}

}  // namespace plait::engine
