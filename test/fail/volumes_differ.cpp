// EXPECT: volumes_differ
// NUMBERS: -1, 2352, 2350
#include <plait/algebra/reshape.hpp>

constexpr plait::layout image({3, 28, 28}, "abc");

#ifdef FIXED
constexpr plait::layout refused = plait::reshape(image, {3 * 784});
#else
constexpr plait::layout refused = plait::reshape(image, {2350});
#endif
