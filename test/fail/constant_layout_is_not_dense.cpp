// EXPECT: layout_is_not_dense
#include <plait/algebra/inverse.hpp>
#include <plait/typed/operations.hpp>

#ifdef FIXED
constexpr auto rows = plait::layout_c<plait::layout({4, 8}, plait::strides{8, 1})>;
#else
constexpr auto rows = plait::layout_c<plait::layout({4, 8}, plait::strides{9, 1})>;
#endif
constexpr auto refused = plait::inverse(rows);
