// GCC: rejected::volumes_differ
// GCC: {2350}
// CLANG: 'volumes_differ' cannot be used

#include <plait/plait.hpp>

constexpr plait::layout image({3, 28, 28}, "abc");
#ifdef FIXED
constexpr plait::layout row = reshape(image, {2352});
#else
constexpr plait::layout row = reshape(image, {2350});
#endif
