#pragma once
// Conversions of rows, and functions for bytes, with AVX2.

#include <plait/engine/simd/avx2.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::avx2 {

#include <plait/engine/simd/nibble_lookup.inl>

#include <plait/engine/simd/row_functions.inl>

}  // namespace plait::engine::simd::avx2

template <>
struct plait::engine::simd::row_code_of<plait::isa::avx2> : plait::engine::simd::avx2::row_code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
