// EXPECT: digits_do_not_cover_axis
// NUMBERS: 1, 24, 32
#include <plait/core/layout.hpp>

constexpr bool check_by_hand() {
    plait::layout l({2, 17}, "aB8b");
#ifdef FIXED
    l.padded_dims[1] = 32, l.digits[1].extent = 4, l.digits[0].stride = 32;
#else
    l.padded_dims[1] = 32;
#endif
    require(check_layout(l));
    return true;
}
constexpr bool refused = check_by_hand();
