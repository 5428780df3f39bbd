#include "engine/simd/convert_lanes.hpp"

#include <plait/engine/simd/portable.hpp>

namespace plait::engine::simd::portable { namespace {

#include "engine/simd/convert_lanes.inl"

}  // namespace
}  // namespace plait::engine::simd::portable

using plait::engine::simd::portable::over_arrays;

TEST_CASE("convert_lanes: portable, every pair of types agrees with convert") {
    lanes::check_every_pair<over_arrays, plait::isa::portable>();
}
TEST_CASE("shuffles: portable, every pair of instructions moves the bits that its rule says") {
    lanes::check_every_rule<over_arrays, plait::isa::portable>();
}
