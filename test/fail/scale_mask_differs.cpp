// EXPECT: scale_mask_differs
// NUMBERS: -1, 2, 1
#include <plait/contents/quantized_view.hpp>
#include <plait/typed/formats.hpp>

// One scale per output channel.
float first_of(const auto& w) {
    plait::require_quantized<1 << 0>(w);
    return 0;
}

const std::int8_t* data;
const plait::tensor_view weights(data, plait::oihw<4, 4, 1, 1>());
const float scales[4]{};
#ifdef FIXED
const float first = first_of(plait::with_quantization(weights, plait::per_index<0>(scales)));
#else
const float first = first_of(plait::with_quantization(weights, plait::per_index<1>(scales)));
#endif
