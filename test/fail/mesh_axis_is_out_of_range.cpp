// EXPECT: mesh_axis_is_out_of_range
// NUMBERS: 0, 1, 1
#include <plait/distribution/sharded.hpp>

using namespace plait;

#ifdef FIXED
constexpr distribution refused = sharded(dims{8}, mesh{2}, {shard(0, 0)});
#else
constexpr distribution refused = sharded(dims{8}, mesh{2}, {shard(0, 1)});
#endif
