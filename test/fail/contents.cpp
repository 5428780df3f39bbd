// What the memory of a view contains.
#include <plait/contents/quantized_view.hpp>
#include <plait/contents/zero_pad.hpp>
#include <plait/typed/formats.hpp>

// EXPECT: padding_is_not_zero (1, 17, 32)
using plait::tensor_view;
float sum_of_blocks(const auto& x) {
    require_zero_padded(x);
    float sum = 0;
    for (const float value : x.block(0, 1, 0, 0)) sum += value;
    return sum;
}
float* data;
const float sum = sum_of_blocks(tensor_view(data, plait::nChw16c<1, 17, 2, 2>()));
// FIXED: const float sum = sum_of_blocks(plait::zero_pad(tensor_view(data, plait::nChw16c<1, 17, 2, 2>())));

// EXPECT: scale_mask_differs (-1, 2, 1)
// One scale per output channel.
float first_of(const auto& w) {
    plait::require_quantized<1 << 0>(w);
    return 0;
}
const std::int8_t* data;
const plait::tensor_view weights(data, plait::oihw<4, 4, 1, 1>());
const float scales[4]{};
const float first = first_of(plait::with_quantization(weights, plait::per_index<1>(scales)));
// FIXED: const float first = first_of(plait::with_quantization(weights, plait::per_index<0>(scales)));

// EXPECT: values_are_not_quantized
float first_of(const auto& x) {
    require_quantized(x);
    return 0;
}
const std::int8_t* data;
const plait::tensor_view codes(data, plait::format<"a", 3>());
const float first = first_of(codes);
// FIXED: const float first = first_of(plait::with_quantization(codes, plait::per_tensor(0.5f)));

// EXPECT: values_are_quantized (2, 7)
float first_of(const auto& x) {
#ifdef FIXED
    return dequantize(x, 0);
#else
    require_plain_values(x);
    return 0;
#endif
}
const std::int8_t* data;
const float first = first_of(plait::with_quantization(plait::tensor_view(data, plait::format<"a", 3>()),
                                                      plait::per_tensor(0.5f), plait::per_tensor(std::int32_t{3})));
