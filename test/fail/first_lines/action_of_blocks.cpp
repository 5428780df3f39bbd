// BOTH: for_each_block calls its action with three arguments

#include <plait/plait.hpp>

float* data;
void run() {
    const plait::tensor_view image(data, plait::nChw16c<1, 64, 8, 8>());
#ifdef FIXED
    for_each_block(image, [](const plait::position&, std::span<float, 16> block, const plait::dims&) { block[0] = 0; });
#else
    for_each_block(image, [](std::span<float, 16> block) { block[0] = 0; });
#endif
}
