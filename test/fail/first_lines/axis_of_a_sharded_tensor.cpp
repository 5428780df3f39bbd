// GCC: axis_is_out_of_range: there is no axis 2 in a layout of 2 axes
// CLANG: &axis_is_out_of_range.numbers[2][2]

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::distribution rows = plait::sharded(plait::dims{100, 60}, plait::mesh{4}, {plait::shard(1, 0)});
#else
constexpr plait::distribution rows = plait::sharded(plait::dims{100, 60}, plait::mesh{4}, {plait::shard(2, 0)});
#endif
