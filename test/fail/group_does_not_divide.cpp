// EXPECT: group_does_not_divide
// NUMBERS: 1, 0, 6
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 6}, "ab");

constexpr float scales[4] = {1, 2, 3, 4};  // two groups along each row, of which the second may be shorter
#ifdef FIXED
constexpr int group = 4;
#else
constexpr int group = 0;
#endif
constexpr float last() {
    const float in[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    float out[12] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = plait::values_by_group(scales, {2, 6}, {1, group})});
    return out[11];
}
constexpr float moved = last();
