// EXPECT: mask_has_no_values
// NUMBERS: 2, 3
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 3}, "ab");
constexpr std::int32_t per_column[3] = {1, 2, 3};

#ifdef FIXED
constexpr std::span<const std::int32_t> values = per_column;
#else
constexpr std::span<const std::int32_t> values;
#endif
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.dst_zero_point = {values, 2}});
    return out[5];
}
constexpr float moved = last();
