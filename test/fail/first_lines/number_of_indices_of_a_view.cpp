// BOTH: number_of_indices_differs<
// BOTH: indices<3>
// BOTH: axes<4>
// ERRORS: any
// Clang repeats the error of a deleted call operator.

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

float first(float* data) {
    const plait::tensor_view v(data, plain());
#ifdef FIXED
    return v(0, 0, 0, 0);
#else
    return v(0, 0, 0);
#endif
}
