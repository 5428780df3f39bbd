#pragma once
// A pair of layouts for which the tests of the engine have numbers counted by hand.

#include <plait/engine/plan/refinement.hpp>

namespace plait_test {

using namespace plait;
using namespace plait::engine;

// nchw -> nChw16c of 17 channels of 2 x 3 places. In the source a channel is 2 * 3 = 6 places after the previous one,
// and places are adjacent; in the destination channels are adjacent, 16 to a block, places 16 apart, and a
// block is 16 * 6 = 96 elements. Rows and columns are one run of six places on both sides, and n has one index. So
// three nodes remain:
//
//   node            extent   index step   source   destination
//   channel         16       1            6        1
//   block           2        16           96       96
//   place           6        1            1        16
//
// The channels end at 17 in the source, and at 32 in the destination.
inline constexpr layout worked_src({1, 17, 2, 3}, "nchw"), worked_dst({1, 17, 2, 3}, "nChw16c");
inline const refinement worked = coalesce(*refine(worked_src, worked_dst));

/// Returns the number of the node with this step in the source.
inline int node_with_source_step(const refinement& r, dim_t step) {
    for (int k = 0; k < r.nodes.size(); ++k)
        if (r.nodes[k].src == step) return k;
    return -1;
}
inline const int channel_node = node_with_source_step(worked, 6), block_node = node_with_source_step(worked, 96),
                 place_node = node_with_source_step(worked, 1);

}  // namespace plait_test
