// GCC: rejected::stride_is_negative
// CLANG: 'stride_is_negative' cannot be used

#include <plait/plait.hpp>

#ifdef FIXED
constexpr plait::layout matrix({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout matrix({4, 8}, plait::strides{8, -1});
#endif
