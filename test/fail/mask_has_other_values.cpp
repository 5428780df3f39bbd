// EXPECT: mask_has_other_values
// NUMBERS: 2, 3, 4
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 3}, "ab");

#ifdef FIXED
constexpr float per_column[3] = {1, 2, 3};
#else
constexpr float per_column[4] = {1, 2, 3, 4};
#endif
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = {per_column, 2}});
    return out[5];
}
constexpr float moved = last();
