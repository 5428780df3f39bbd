// EXPECT: part_is_not_a_box
// NUMBERS: -1, 1, 0
#include <plait/distribution/sharded.hpp>

using namespace plait;

constexpr distribution diagonals = distribute(layout({2, 2}, strides{1, 1}), layout({2, 2}, strides{0, 1}), mesh{3});

#ifdef FIXED
constexpr dims refused = diagonals.extents_of(2);
#else
constexpr dims refused = diagonals.extents_of(1);
#endif
