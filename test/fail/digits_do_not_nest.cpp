// EXPECT: digits_do_not_nest
// NUMBERS: 0, 4, 6
#include <plait/distribution/sharded.hpp>

using namespace plait;

constexpr layout ranks({24}, "A4a", strides{5});

#ifdef FIXED
constexpr distribution refused = distribute(ranks, layout({24}, "A8a", strides{9}), mesh{29});
#else
constexpr distribution refused = distribute(ranks, layout({24}, "A6a", strides{7}), mesh{29});
#endif
