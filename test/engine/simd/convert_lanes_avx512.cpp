#include "engine/simd/convert_lanes.hpp"

#include <plait/engine/simd/avx512.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl")
#endif

namespace plait::engine::simd::avx512 { namespace {

#include "engine/simd/convert_lanes.inl"

}  // namespace
}  // namespace plait::engine::simd::avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

using plait::engine::simd::avx512::over_arrays;

TEST_CASE("convert_lanes: avx512, every pair of types agrees with convert") {
    lanes::check_every_pair<over_arrays, plait::isa::avx512>();
}
TEST_CASE("shuffles: avx512, every pair of instructions moves the bits that its rule says") {
    lanes::check_every_rule<over_arrays, plait::isa::avx512>();
}
#endif
