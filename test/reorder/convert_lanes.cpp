#include "reorder/convert_lanes.hpp"

#include <plait/reorder/simd/portable.hpp>

namespace plait::simd::portable {
namespace {

#include "reorder/convert_lanes.inl"

}  // namespace
}  // namespace plait::simd::portable

using plait::simd::portable::over_arrays;

TEST_CASE("convert_lanes: portable, every pair of types as convert") {
    lanes::check_every_pair<over_arrays, plait::isa::portable>();
}
TEST_CASE("convert_lanes: portable, products and sums are never fused") {
    lanes::check_never_fused<over_arrays, plait::isa::portable>();
}
