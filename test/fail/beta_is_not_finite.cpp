// EXPECT: beta_is_not_finite
// NUMBERS: 2139095040, 0
#include <plait/contract/reference.hpp>

constexpr plait::layout rows({2, 3}, "ab");

#ifdef FIXED
constexpr float of_the_old = 0.5f;
#else
constexpr float of_the_old = std::numeric_limits<float>::infinity();
#endif
constexpr float last() {
    const float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6] = {};
    plait::reference_reorder(rows, in, rows, out, {.beta = of_the_old});
    return out[5];
}
constexpr float moved = last();
