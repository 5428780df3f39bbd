// EXPECT: dim_is_dynamic
// NUMBERS: 2, 0, 0
#include <plait/typed/bound_layout.hpp>
#include <plait/typed/formats.hpp>

plait::dim_t offset(int c) {
#ifdef FIXED
    return plait::bind(plait::nChw16c<2, 17, plait::dynamic, 2>(), 3).offset(1, c, 2, 1);
#else
    return plait::nChw16c<2, 17, plait::dynamic, 2>::offset(1, c, 2, 1);
#endif
}
