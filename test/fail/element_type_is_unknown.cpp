// EXPECT: a reorder takes pointers to double
#include <plait/reorder/reorder.hpp>

constexpr plait::layout rows({4, 3}, "ab");
constexpr plait::layout columns({4, 3}, "ba");

#ifdef FIXED
void copy(const float* in, float* out) { plait::reorder<rows, columns>(in, out); }
#else
void copy(const float* const* in, float** out) { plait::reorder<rows, columns>(in, out); }
#endif
