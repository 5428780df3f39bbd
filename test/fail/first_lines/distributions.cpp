// Mistakes with distributions.
#include <plait/plait.hpp>

// GCC: axis_is_out_of_range: there is no axis 2 in a layout of 2 axes
// CLANG: &axis_is_out_of_range.numbers[2][2]
using plait::dims, plait::mesh, plait::shard;
constexpr plait::distribution rows = plait::sharded(dims{1000, 700}, mesh{4}, {shard(2, 0)});
// FIXED: constexpr plait::distribution rows = plait::sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)});

// GCC: dim_is_negative: the extent of axis 1 is 0, but must be at least 1
// CLANG: &dim_is_negative.axis_and_numbers[1][0][1]
using plait::dims, plait::mesh;
constexpr plait::distribution dealt = plait::block_cyclic(dims{1000, 700}, dims{64, 0}, mesh{2, 2});
// FIXED: constexpr plait::distribution dealt = plait::block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2});
