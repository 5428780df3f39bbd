// BOTH: of a vector v, v.data()

#include <plait/plait.hpp>

#include <vector>

constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
void to_blocks(const std::vector<float>& in, std::vector<float>& out) {
#ifdef FIXED
    plait::reorder<plain, blocked>(in.data(), out.data());
#else
    plait::reorder<plain, blocked>(in, out);
#endif
}
