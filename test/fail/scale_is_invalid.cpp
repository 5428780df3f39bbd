// EXPECT: scale_is_invalid
// NUMBERS: 0, 1, 2
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 3}, "ab");

#ifdef FIXED
constexpr float per_column[3] = {0.5f, 1, 2};  // any scale suits a column of zeros, e.g. 1
#else
constexpr float per_column[3] = {0.5f, 0, 2};
#endif
constexpr float last() {
    const float in[6] = {1, 0, 3, 4, 0, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.dst_scale = {per_column, 2}});
    return out[5];
}
constexpr float moved = last();
