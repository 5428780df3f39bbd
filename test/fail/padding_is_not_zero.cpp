// EXPECT: padding_is_not_zero
// NUMBERS: 1, 17, 32
#include <plait/contents/zero_pad.hpp>
#include <plait/typed/formats.hpp>

using plait::tensor_view;

float sum_of_blocks(const auto& x) {
    require_zero_padded(x);
    float sum = 0;
    for (const float value : x.block(0, 1, 0, 0)) sum += value;
    return sum;
}

float* data;
#ifdef FIXED
const float sum = sum_of_blocks(plait::zero_pad(tensor_view(data, plait::nChw16c<1, 17, 2, 2>())));
#else
const float sum = sum_of_blocks(tensor_view(data, plait::nChw16c<1, 17, 2, 2>()));
#endif
