#pragma once
// Hand-made nodes of cache blocks.

#include <plait/engine/quantize/cache_block_shape.hpp>

#include <initializer_list>

namespace plait_test {

/// Returns a node with all of its steps in a cache block.
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

/// A cache block that is dense on one side: the valid and stored extents of each axis, and its nodes.
inline plait::engine::cache_block_shape shape_of(plait::engine::cache_block_side side,
                                                 std::initializer_list<plait::engine::axis_bound> bounds,
                                                 std::initializer_list<plait::engine::cache_block_node> nodes) {
    plait::engine::cache_block_shape out;
    out.side = side;
    for (const plait::engine::axis_bound& b : bounds) out.bounds.push_back(b);
    for (const plait::engine::cache_block_node& n : nodes) out.nodes.push_back(n);
    out.inner = out.nodes.size();
    return out;
}

/// 2 places, then 64 channels in blocks of 16, of which 50 exist.
inline plait::engine::cache_block_shape places_and_channels() {
    return shape_of(plait::engine::cache_block_side::source, {{50, 64}, {2, 2}},
                    {node_of(1, 2, 1, 1, 256), node_of(0, 16, 1, 2, 1), node_of(0, 4, 16, 32, 512)});
}

}  // namespace plait_test
