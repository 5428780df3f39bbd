// EXPECT: destination_is_not_injective
// NUMBERS: 0, 4, 0
#include <plait/reorder/reorder.hpp>

constexpr plait::layout rows({4, 3}, "ab");

#ifdef FIXED
constexpr plait::layout repeated({4, 3}, plait::strides{3, 1});
#else
constexpr plait::layout repeated({4, 3}, plait::strides{0, 1});
#endif
void spread(const float* in, float* out) { plait::reorder<rows, repeated>(in, out); }
