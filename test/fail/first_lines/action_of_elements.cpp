// BOTH: for_each_element calls its action with one argument: the element

#include <plait/plait.hpp>

float* data;
void run() {
    const plait::tensor_view image(data, plait::nchw<1, 64, 8, 8>());
#ifdef FIXED
    for_each_element(image, [](float& x) { x = 0; });
#else
    for_each_element(image, [](const plait::position&, float& x) { x = 0; });
#endif
}
