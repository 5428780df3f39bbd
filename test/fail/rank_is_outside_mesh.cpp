// EXPECT: rank_is_outside_mesh
// NUMBERS: -1, 3, 3
#include <plait/distribution/sharded.hpp>

using namespace plait;

constexpr layout rows({4, 8}, strides{1, 0}), columns({4, 8}, strides{0, 1});

#ifdef FIXED
constexpr distribution refused = distribute(rows, columns, mesh{4});
#else
constexpr distribution refused = distribute(rows, columns, mesh{3});
#endif
