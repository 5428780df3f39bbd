#pragma once
// How a plan of values is cut into parts that may run concurrently. Each part is some of the cache blocks.

#include <plait/engine/quantize/converting_plan.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

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
