// EXPECT: part_crosses_ranks
// NUMBERS: 0, 0, 250, 100
#include <plait/distribution/distribution_operations.hpp>
#include <plait/distribution/sharded.hpp>

using namespace plait;

constexpr distribution by_rows = sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)});

#ifdef FIXED
constexpr distribution refused = reshape(by_rows, {20, 50, 700});
#else
constexpr distribution refused = reshape(by_rows, {10, 100, 700});
#endif
