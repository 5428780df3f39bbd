// Attributes of a reorder.
#include <plait/contract/reference.hpp>

// EXPECT: beta_is_not_finite (2139095040, 0)
constexpr plait::layout rows({2, 3}, "ab");
constexpr float of_the_old = std::numeric_limits<float>::infinity();
// FIXED: constexpr float of_the_old = 0.5f;
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.beta = of_the_old});
    return out[5];
}
constexpr float moved = last();

// EXPECT: group_does_not_divide (1, 0, 6)
constexpr plait::layout rows({2, 6}, "ab");
constexpr float scales[4] = {1, 2, 3, 4};  // two groups along each row, of which the second may be shorter
constexpr int group = 0;
// FIXED: constexpr int group = 4;
constexpr float last() {
    const float in[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    float out[12] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = plait::values_by_group(scales, {2, 6}, {1, group})});
    return out[11];
}
constexpr float moved = last();

// EXPECT: mask_has_no_values (2, 3)
constexpr plait::layout rows({2, 3}, "ab");
constexpr std::int32_t per_column[3] = {1, 2, 3};
constexpr std::span<const std::int32_t> values;
// FIXED: constexpr std::span<const std::int32_t> values = per_column;
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.dst_zero_point = {values, 2}});
    return out[5];
}
constexpr float moved = last();

// EXPECT: mask_has_other_values (2, 3, 4)
constexpr plait::layout rows({2, 3}, "ab");
constexpr float per_column[4] = {1, 2, 3, 4};
// FIXED: constexpr float per_column[3] = {1, 2, 3};
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = {per_column, 2}});
    return out[5];
}
constexpr float moved = last();

// EXPECT: mask_is_out_of_range (4, 2)
constexpr plait::layout rows({2, 3}, "ab");
constexpr float per_column[3] = {1, 2, 3};
constexpr int column = 2;
// FIXED: constexpr int column = 1;
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = {per_column, 1 << column}});
    return out[5];
}
constexpr float moved = last();

// EXPECT: scale_is_invalid (0, 1, 2)
constexpr plait::layout rows({2, 3}, "ab");
constexpr float per_column[3] = {0.5f, 0, 2};
// FIXED: constexpr float per_column[3] = {0.5f, 1, 2};  // any scale suits a column of zeros, e.g. 1
constexpr float last() {
    const float in[6] = {1, 0, 3, 4, 0, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.dst_scale = {per_column, 2}});
    return out[5];
}
constexpr float moved = last();

// EXPECT: values_are_too_few (3, 2)
constexpr plait::layout rows({2, 3}, "ab");
// One scale per column: rows share it, so that the layout has stride 0 along them.
constexpr plait::layout per_column = [] {
    plait::layout out({2, 3}, "ab");
    out.digits[0].stride = 0;
    return out;
}();
constexpr float scales[2] = {1, 2};
// FIXED: constexpr float scales[3] = {1, 2, 3};
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = plait::values_by_layout(scales, per_column)});
    return out[5];
}
constexpr float moved = last();
