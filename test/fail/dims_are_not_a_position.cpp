// EXPECT: no matching
#include <plait/core/layout.hpp>

constexpr plait::layout rows({4, 8}, "ab");

#ifdef FIXED
constexpr plait::dim_t refused = rows.offset(plait::position{1, 2});
#else
constexpr plait::dim_t refused = rows.offset(plait::dims{1, 2});
#endif
