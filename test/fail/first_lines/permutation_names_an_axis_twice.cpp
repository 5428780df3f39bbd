// GCC: rejected::not_a_permutation
// GCC: {2, 0, 2}
// CLANG: 'not_a_permutation' cannot be used

#include <plait/plait.hpp>

constexpr plait::layout image({3, 224, 224}, "abc");
#ifdef FIXED
constexpr plait::layout turned = permute_axes(image, {2, 0, 1});
#else
constexpr plait::layout turned = permute_axes(image, {2, 0, 2});
#endif
