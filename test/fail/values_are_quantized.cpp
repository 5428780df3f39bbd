// EXPECT: values_are_quantized
// NUMBERS: 2, 7
#include <plait/contents/quantized_view.hpp>
#include <plait/typed/formats.hpp>

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
