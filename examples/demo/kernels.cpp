// The kernels, one per pair of layouts. No other file of the demo compiles any.

#include "kernels.hpp"

#include <plait/reorder/reorder.hpp>

namespace demo {

namespace {

constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
constexpr plait::layout many_plain({32, 256, 56, 56}, "nchw"), many_blocked({32, 256, 56, 56}, "nChw16c");

}  // namespace

const tensor in_cache = {"1x64x56x56, 0.8 MB",
                         plain,
                         blocked,
                         plait::reorder_kernel<plain, blocked, float, float>,
                         plait::reorder_kernel<blocked, plain, float, float>,
                         50};
const tensor in_memory = {"32x256x56x56, 103 MB",
                          many_plain,
                          many_blocked,
                          plait::reorder_kernel<many_plain, many_blocked, float, float>,
                          plait::reorder_kernel<many_blocked, many_plain, float, float>,
                          1};

}  // namespace demo
