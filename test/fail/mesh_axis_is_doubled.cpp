// EXPECT: mesh_axis_is_doubled
// NUMBERS: 1, 0, 0
#include <plait/distribution/sharded.hpp>

using namespace plait;

#ifdef FIXED
constexpr distribution refused = sharded(dims{8, 8}, mesh{2, 2}, {shard(0, 0), shard(1, 1)});
#else
constexpr distribution refused = sharded(dims{8, 8}, mesh{2, 2}, {shard(0, 0), shard(1, 0)});
#endif
