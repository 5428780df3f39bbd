#pragma once
// A cache block of channels by places, and its rows.

#include "engine/quantize/cache_block_nodes.hpp"

#include <plait/engine/quantize/cache_block_row.hpp>
#include <plait/engine/quantize/cache_blocks.hpp>

namespace plait_test {

/// A cache block of 16 channels (axis 0), dense, by 6 places (axis 1), dense after them; channels end inside it.
inline plait::engine::cache_block_plan channels_by_places() {
    plait::engine::cache_block_plan out;
    out.shape = shape_of(plait::engine::cache_block_side::both, {{17, 32}, {6, 6}},
                         {node_of(0, 16, 1, 1, 1), node_of(1, 6, 1, 16, 16)});
    out.bounded[0] = true;
    out.reach[0] = 16;
    out.reach[1] = 6;
    return out;
}
inline constexpr plait::engine::cache_block_row row_of_channels{.nodes = 1, .length = 16, .last = 16, .end_axis = 0};

}  // namespace plait_test
