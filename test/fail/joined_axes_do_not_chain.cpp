// EXPECT: joined_axes_do_not_chain
// NUMBERS: 1, 1, 12544
#include <plait/algebra/reshape.hpp>

constexpr plait::layout image({2, 16, 28, 28}, "nhwc");

#ifdef FIXED
constexpr plait::layout refused = plait::reshape(image, {2, 16, 784});
#else
constexpr plait::layout refused = plait::reshape(image, {2, 16 * 784});
#endif
