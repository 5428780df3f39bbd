// EXPECT: padded_dim_does_not_fit
// NUMBERS: 1, 23, 8
#include <plait/core/layout.hpp>

constexpr bool check_by_hand() {
    plait::layout l({2, 17}, "aB8b");
#ifdef FIXED
    l.padded_dims[1] = 24;
#else
    l.padded_dims[1] = 23;
#endif
    require(check_layout(l));
    return true;
}
constexpr bool refused = check_by_hand();
