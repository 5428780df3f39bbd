#include "engine/simd/convert_lanes.hpp"

#include <plait/engine/simd/sse41.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif

namespace plait::engine::simd::sse41 { namespace {

#include "engine/simd/convert_lanes.inl"

}  // namespace
}  // namespace plait::engine::simd::sse41

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

using plait::engine::simd::sse41::over_arrays;

TEST_CASE("convert_lanes: sse41, every pair of types agrees with convert") {
    lanes::check_every_pair<over_arrays, plait::isa::sse41>();
}
TEST_CASE("shuffles: sse41, every pair of instructions moves the bits that its rule says") {
    lanes::check_every_rule<over_arrays, plait::isa::sse41>();
}
#endif
