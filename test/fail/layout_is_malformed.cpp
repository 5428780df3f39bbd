// EXPECT: layout_is_malformed
// NUMBERS: -8, 0
#include <plait/core/layout.hpp>

constexpr bool check_by_hand() {
    plait::layout l({2, 17}, "aB8b");
#ifdef FIXED
    l.offset0 = 8;
#else
    l.offset0 = -8;
#endif
    require(check_layout(l));
    return true;
}
constexpr bool refused = check_by_hand();
