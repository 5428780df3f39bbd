#pragma once
// Conversions of rows, and functions for bytes, with NEON.

#include <plait/engine/simd/neon.hpp>

#if defined(__aarch64__)
#if !defined(__clang__)
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::neon {

#include <plait/engine/simd/nibble_lookup.inl>

#include <plait/engine/simd/row_functions.inl>

}  // namespace plait::engine::simd::neon

template <>
struct plait::engine::simd::row_code_of<plait::isa::neon> : plait::engine::simd::neon::row_code {};

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
