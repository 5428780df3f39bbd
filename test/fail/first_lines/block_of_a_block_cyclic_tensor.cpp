// GCC: dim_is_negative: the extent of axis 1 is 0, but must be at least 1
// CLANG: &dim_is_negative.axis_and_numbers[1][0][1]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::distribution dealt = plait::block_cyclic(plait::dims{100, 60}, plait::dims{8, 8}, plait::mesh{2, 2});
#else
constexpr plait::distribution dealt = plait::block_cyclic(plait::dims{100, 60}, plait::dims{8, 0}, plait::mesh{2, 2});
#endif
