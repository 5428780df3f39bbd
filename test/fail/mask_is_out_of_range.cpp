// EXPECT: mask_is_out_of_range
// NUMBERS: 4, 2
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 3}, "ab");
constexpr float per_column[3] = {1, 2, 3};

#ifdef FIXED
constexpr int column = 1;
#else
constexpr int column = 2;
#endif
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = {per_column, 1 << column}});
    return out[5];
}
constexpr float moved = last();
