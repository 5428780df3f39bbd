// GCC: pattern_axis_is_on_one_side
// CLANG: &pattern_axis_is_on_one_side
// ERRORS: any

#include <plait/plait.hpp>

constexpr plait::layout image({2, 3, 8, 6}, "nchw");
#ifdef FIXED
constexpr plait::layout moved = plait::rearrange(image, "n c h w -> n h w c");
#else
constexpr plait::layout moved = plait::rearrange(image, "n c h w -> n h w k");
#endif
