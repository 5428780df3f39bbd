// EXPECT: axis_is_padded
// NUMBERS: 1, 16, 15
#include <plait/algebra/view.hpp>

constexpr plait::layout image({2, 15}, "aB8b");

#ifdef FIXED
constexpr plait::layout refused = plait::view(image, {2, 1, 15});
#else
constexpr plait::layout refused = plait::view(image, {2, 3, 5});
#endif
