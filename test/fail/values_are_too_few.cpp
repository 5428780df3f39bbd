// EXPECT: values_are_too_few
// NUMBERS: 3, 2
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 3}, "ab");

// One scale per column: rows share it, so that the layout has stride 0 along them.
constexpr plait::layout per_column = [] {
    plait::layout out({2, 3}, "ab");
    out.digits[0].stride = 0;
    return out;
}();
#ifdef FIXED
constexpr float scales[3] = {1, 2, 3};
#else
constexpr float scales[2] = {1, 2};
#endif
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.src_scale = plait::values_by_layout(scales, per_column)});
    return out[5];
}
constexpr float moved = last();
