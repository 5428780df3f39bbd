#include "engine/simd/convert_lanes.hpp"

#include <plait/engine/simd/avx2.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif

namespace plait::engine::simd::avx2 { namespace {

#include "engine/simd/convert_lanes.inl"

}  // namespace
}  // namespace plait::engine::simd::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

using plait::engine::simd::avx2::over_arrays;

TEST_CASE("convert_lanes: avx2, every pair of types agrees with convert") {
    lanes::check_every_pair<over_arrays, plait::isa::avx2>();
}
TEST_CASE("shuffles: avx2, every pair of instructions moves the bits that its rule says") {
    lanes::check_every_rule<over_arrays, plait::isa::avx2>();
}
#endif
