// EXPECT: elements_share_a_place
// NUMBERS: -1, 0, 0
#include <plait/distribution/sharded.hpp>

using namespace plait;

constexpr layout rows({4, 8}, strides{1, 0}), columns({4, 8}, strides{0, 1});

#ifdef FIXED
constexpr distribution refused = distribute(rows, columns, mesh{4});
#else
constexpr distribution refused = distribute(rows, rows, mesh{4});
#endif
