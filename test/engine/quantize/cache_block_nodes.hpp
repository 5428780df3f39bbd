#pragma once
// Nodes of cache blocks, put together by hand.

#include <plait/engine/quantize/cache_block_shape.hpp>

namespace plait_test {

/// A node of which a cache block has all steps.
inline plait::engine::cache_block_node node_of(int axis, plait::dim_t extent, plait::dim_t index_step, plait::dim_t src,
                                               plait::dim_t dst) {
    plait::engine::cache_block_node out;
    out.axis = axis;
    out.extent = out.block_steps = extent;
    out.index_step = index_step;
    out.src = src;
    out.dst = dst;
    return out;
}

}  // namespace plait_test
