// EXPECT: stride_is_dynamic
#include <plait/core/layout.hpp>

#ifdef FIXED
constexpr plait::layout rows({4, 8}, plait::strides{8, 1});
#else
constexpr plait::layout rows({4, 8}, plait::strides{plait::dynamic, 1});
#endif
constexpr plait::dim_t refused = rows.offset(1, 2);
