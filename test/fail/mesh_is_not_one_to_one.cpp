// EXPECT: mesh_is_not_one_to_one
// NUMBERS: -1, 6, 3
#include <plait/distribution/sharded.hpp>

using namespace plait;

#ifdef FIXED
constexpr mesh refused(layout({2, 2}, strides{2, 1}));
#else
constexpr mesh refused(layout({2, 2}, strides{4, 2}));
#endif
