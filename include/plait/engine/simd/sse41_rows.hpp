#pragma once
// Conversions of rows, and functions for bytes, with SSE4.1.

#include <plait/engine/simd/sse41.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::sse41 {

#include <plait/engine/simd/nibble_lookup.inl>

#include <plait/engine/simd/row_functions.inl>

}  // namespace plait::engine::simd::sse41

template <>
struct plait::engine::simd::row_code_of<plait::isa::sse41> : plait::engine::simd::sse41::row_code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
