#pragma once
// How a plan of values is cut into parts that may run at the same time: each is some of the cache blocks.

#include <plait/engine/quantize/converting_plan.hpp>

namespace plait::engine {

/// Some of the units that a plan may be cut into.
struct converting_part {
    dim_t begin = 0, end = 0;
    constexpr bool is_empty() const { return begin >= end; }
    constexpr bool operator==(const converting_part&) const = default;
};

/// The loops around the cache blocks: first those that stay together in a part, then those whose steps are its units.
struct values_loops {
    inline_list<int, max_block_nodes> nodes;
    int together = 0;  ///< how many of them stay together
    dim_t units = 1;
};

/// Whether cache blocks on both sides of a step add to no sum in common: each has indices of its own along the axis,
/// and so places of its own, if the sums are by index along it.
///
/// Example: s8 weights with sums by output channel: a loop along output channels, none along input channels
constexpr bool has_own_sums(const converting_plan& plan, const cache_block_node& node) {
    return (plan.s8s8.count == 0 || node.value_steps[s8s8_sums] != 0) &&
           (plan.asymmetric_source.count == 0 || node.value_steps[asymmetric_source_sums] != 0);
}

/// Pre:     plan_cache_blocks has cut them
/// Post:    cache blocks of different units write no byte in common, sums included
constexpr values_loops find_loops(const converting_plan& plan, const cache_block_plan& blocks) {
    values_loops out;
    for (const bool apart : {false, true}) {
        for (const int k : blocks.order) {
            const cache_block_node& node = blocks.shape.nodes[k];
            if (has_own_sums(plan, node) != apart) continue;
            out.nodes.push_back(k);
            if (apart) out.units *= divide_up(node.extent, node.block_steps);
        }
        if (!apart) out.together = out.nodes.size();
    }
    return out;
}

/// The part that chunk number `chunk` of `chunks` has. The first ones may have one unit more than the last ones; where
/// there are more chunks than units the last ones are empty.
///
/// Pre:     0 <= chunk < chunks
/// Post:    the parts of all chunks are all units, each once, in order
constexpr converting_part part_of(const values_loops& loops, int chunk, int chunks) {
    const dim_t each = loops.units / chunks, more = loops.units % chunks;
    const auto begin = [&](dim_t c) { return each * c + (c < more ? c : more); };
    return {begin(chunk), begin(chunk + 1)};
}

}  // namespace plait::engine
