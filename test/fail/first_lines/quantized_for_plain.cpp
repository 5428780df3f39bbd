// GCC: values_are_quantized: the elements stand for other numbers (scale: f32
// CLANG: values_are_quantized

#include <plait/plait.hpp>

float first_of(const plait::plain_values auto& x) { return x(0); }
float first_of(const auto& x) {
    require_plain_values(x);
    return 0;
}

const std::int8_t* data;
const plait::tensor_view codes(data, plait::format<"a", 3>());
void run() {
#ifdef FIXED
    first_of(codes);
#else
    first_of(plait::with_quantization(codes, plait::per_tensor(0.5f)));
#endif
}
