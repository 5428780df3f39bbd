// EXPECT: rank_differs
// NUMBERS: -1, 3, 4
#include <plait/typed/formats.hpp>

plait::dim_t offset(int c) {
#ifdef FIXED
    return plait::nChw16c<2, 17, 3, 2>::offset(1, c, 2, 1);
#else
    return plait::nChw16c<2, 17, 3, 2>::offset(1, c, 2);
#endif
}
