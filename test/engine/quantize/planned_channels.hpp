#pragma once
// Plans of values that are cut by hand: small tensors with several cache blocks, which a planner would not cut.

#include "engine/quantize/cache_block_nodes.hpp"

#include <plait/engine/quantize/converting_plan.hpp>

namespace plait_test {

using namespace plait;
using namespace plait::engine;

/// Sets everything that follows from the nodes, their block steps and the side.
inline void finish_blocks(cache_block_plan& blocks, int src_bytes, int dst_bytes) {
    cache_block_shape& shape = blocks.shape;
    order_nodes(shape);
    for (int a = 0; a < shape.bounds.size(); ++a) {
        blocks.reach[a] = shape.reach(a);
        blocks.bounded[a] = shape.is_bounded(a);
    }
    blocks.whole = find_row(shape, false);
    blocks.part = find_row(shape, true);
    order_cache_blocks(blocks, src_bytes, dst_bytes);
    if (shape.side == cache_block_side::both) return;
    const int moved = shape.side == cache_block_side::source ? dst_bytes : src_bytes;
    static_cast<void>(element_block_copies::find(blocks.block_copy, refine_cache_block(shape, moved), moved));
    fix_block_copy(blocks);
}

inline constexpr dim_t places = 6;

/// Channels of 6 places each. The source is dense, channel by channel; the destination has blocks of 16 channels, each
/// block place by place. A cache block is one block of 16 channels. Source scales have mask 2: one for each channel.
struct planned_channels {
    dim_t channels, stored;
    cache_block_plan blocks;

    /// `blocks_of_16` is the number of steps along the blocks; 0: as many as are stored.
    planned_channels(cache_block_side side, data_type src, data_type dst, dim_t valid, dim_t padded,
                     dim_t blocks_of_16 = 0)
        : channels(valid), stored(padded) {
        if (blocks_of_16 == 0) blocks_of_16 = padded / 16;
        cache_block_node inner = node_of(0, 16, 1, places, 1),
                         outer = node_of(0, blocks_of_16, 16, 16 * places, 16 * places);
        inner.value_steps[src_scales] = 1;
        outer.value_steps[src_scales] = 16;
        outer.block_steps = 1;
        blocks.shape =
            shape_of(side, {{valid, padded}, {places, places}}, {node_of(1, places, 1, 1, 16), inner, outer});
        blocks.shape.src_end = valid * places;
        finish_blocks(blocks, size_in_bytes(src), size_in_bytes(dst));
    }
    /// Adds the places of s8s8 sums, one for each channel.
    void add_sums() {
        for (cache_block_node& n : blocks.shape.nodes) n.value_steps[s8s8_sums] = n.axis == 0 ? n.index_step : 0;
        blocks.whole = find_row(blocks.shape, false);
        blocks.part = find_row(blocks.shape, true);
    }
    converting_plan plan_of(const value_conversion& conversion) const {
        converting_plan out;
        out.conversion = conversion;
        return out;
    }
};

/// Rows that are dense in the source, and `dst_step` elements apart in the destination.
inline cache_block_plan gapped_rows(dim_t length, dim_t rows, dim_t dst_step) {
    cache_block_plan out;
    out.shape = shape_of(cache_block_side::both, {{length, length}, {rows, rows}},
                         {node_of(0, length, 1, 1, 1), node_of(1, rows, 1, length, dst_step)});
    out.shape.src_end = length * rows;
    finish_blocks(out, 4, 4);
    return out;
}

}  // namespace plait_test
