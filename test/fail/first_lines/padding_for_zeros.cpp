// GCC: no matching function for call to ‘sum_of_blocks(plait::u_0::tensor_view<float, plait::u_0::nChw16c<
// GCC: zero_padded<
// CLANG: constraints not satisfied

#include <plait/plait.hpp>

template <plait::zero_padded X>
float sum_of_blocks(const X&);

float* data;
void run() {
#ifdef FIXED
    sum_of_blocks(plait::zero_pad(plait::tensor_view(data, plait::nChw16c<1, 17, 2, 2>())));
#else
    sum_of_blocks(plait::tensor_view(data, plait::nChw16c<1, 17, 2, 2>()));
#endif
}
