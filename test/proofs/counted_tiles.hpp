#pragma once
// The counter of the planner: builds for ./dev test deep moves call it for each tile that a run-time plan gets, see
// CMakeLists.txt. A tile that is not on the list ends the program.

#include <plait/contract/isa.hpp>
#include <plait/engine/plan/plan.hpp>

namespace listed_tiles {

[[gnu::visibility("default")]] void count_tile(plait::isa instructions, int element_bytes,
                                               const plait::engine::tile_pattern& pattern);

/// The counts of all processes that have the file of the environment variable PLAIT_COUNTED_TILES.
struct tile_counts {
    std::uint64_t networks = 0, halves = 0, interleaves = 0, elements = 0, kinds = 0;
};
tile_counts counted_tiles();

}  // namespace listed_tiles
