// EXPECT: rank_differs
// NUMBERS: 3, 2
#include <plait/reorder/permute_with_reorder.hpp>

constexpr plait::layout rows({4, 3}, "ab");

#ifdef FIXED
constexpr plait::format_tag wanted = "ab";
#else
constexpr plait::format_tag wanted = "abc";
#endif
void transpose(const float* in, float* out) {
    plait::permute_with_reorder<rows, plait::permutation{1, 0}, wanted>(in, out);
}
