// EXPECT: values_are_not_quantized
#include <plait/contents/quantized_view.hpp>
#include <plait/typed/formats.hpp>

float first_of(const auto& x) {
    require_quantized(x);
    return 0;
}

const std::int8_t* data;
const plait::tensor_view codes(data, plait::format<"a", 3>());
#ifdef FIXED
const float first = first_of(plait::with_quantization(codes, plait::per_tensor(0.5f)));
#else
const float first = first_of(codes);
#endif
