// BOTH: number_of_indices_differs<
// BOTH: indices<5>
// BOTH: axes<4>

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

float first(float* data) {
    const auto v = zero_pad(plait::tensor_view(data, blocked()));
#ifdef FIXED
    return v.at(0, 0, 0, 0);
#else
    return v.at(0, 0, 0, 0, 0);
#endif
}
