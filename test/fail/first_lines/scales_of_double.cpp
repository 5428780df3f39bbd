// GCC: values_by_index_are_a_contiguous_range_of<float
// CLANG: cannot convert initializer list argument to 'const plait::reorder_attributes'
// ERRORS: any

#include <plait/plait.hpp>

using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
#include <vector>

#ifdef FIXED
void to_blocks(const float* in, std::int8_t* out, const std::vector<float>& scales) {
#else
void to_blocks(const float* in, std::int8_t* out, const std::vector<double>& scales) {
#endif
    plait::reorder<plain::value, blocked::value>(in, out, {.dst_scale = {scales, 1 << 1}});
}
