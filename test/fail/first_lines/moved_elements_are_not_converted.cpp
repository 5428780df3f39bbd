// BOTH: elements of other types are moved to the same type
// BOTH: complex<float>

#include <plait/plait.hpp>

#include <complex>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
#ifdef FIXED
void to_blocks(const std::complex<float>* in, std::complex<float>* out) { plait::reorder<plain, blocked>(in, out); }
#else
void to_blocks(const std::complex<float>* in, std::complex<double>* out) { plait::reorder<plain, blocked>(in, out); }
#endif
