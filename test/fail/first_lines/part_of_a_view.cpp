// GCC: part_cuts_a_block: along axis 1 the part begins or ends at 8, inside a block of 16
// CLANG: &part_cuts_a_block, plait::rejected::axis<1>, plait::rejected::numbers<8, 16>

#include <plait/plait.hpp>

float* part(float* data) {
    const plait::tensor_view v(data, plait::nChw16c<1, 64, 56, 56>());
#ifdef FIXED
    return &plait::submemory(v, plait::dims_c<1, 32, 56, 56>, plait::position_c<0, 16, 0, 0>)(0, 0, 0, 0);
#else
    return &plait::submemory(v, plait::dims_c<1, 32, 56, 56>, plait::position_c<0, 8, 0, 0>)(0, 0, 0, 0);
#endif
}
