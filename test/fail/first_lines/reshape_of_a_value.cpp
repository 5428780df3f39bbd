// GCC: volumes_differ: 2352 elements cannot become 2350
// CLANG: &volumes_differ.numbers[2352][2350]

#include <plait/plait.hpp>

constexpr plait::layout image({3, 28, 28}, "abc");
#ifdef FIXED
constexpr plait::layout row = plait::reshape(image, {2352});
#else
constexpr plait::layout row = plait::reshape(image, {2350});
#endif
