// EXPECT: group_is_not_contiguous
// NUMBERS: 0, 12, 3
#include <plait/algebra/extended_reshape.hpp>

constexpr plait::layout image({2, 3, 4}, "acb");

#ifdef FIXED
constexpr plait::layout refused = plait::extended_reshape(image, {2, 12}, plait::reshape_flags::allow_order_mismatch);
#else
constexpr plait::layout refused = plait::extended_reshape(image, {6, 4}, plait::reshape_flags::allow_order_mismatch);
#endif
