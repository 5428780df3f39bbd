// BOTH: for_each_position calls its action with two arguments: the plait::position and the element

#include <plait/plait.hpp>

float* data;
void run() {
    const plait::tensor_view image(data, plait::nchw<1, 64, 8, 8>());
#ifdef FIXED
    for_each_position(image, [](const plait::position&, float& x) { x = 0; });
#else
    for_each_position(image, [](float& x) { x = 0; });
#endif
}
