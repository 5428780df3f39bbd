#pragma once
// SSE4.1: 128-bit registers.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/scalar.hpp>

#if defined(__x86_64__)
#include <immintrin.h>

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

inline constexpr isa this_isa = isa::sse41;

[[gnu::always_inline]] inline void finish_streams() { _mm_sfence(); }

// There are no masked loads: masked lanes go through memory.
struct masks {
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        memory.load(from, lanes);
        return _mm_load_si128(reinterpret_cast<const __m128i*>(memory.all));
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        _mm_store_si128(reinterpret_cast<__m128i*>(memory.all), value);
        memory.store(to, lanes);
    }
};

#include <plait/engine/simd/past_cache.inl>
#include <plait/engine/simd/vector128.inl>

#include <plait/engine/simd/convert128.inl>
#include <plait/engine/simd/convert_lanes.inl>
#include <plait/engine/simd/element_access.inl>
#include <plait/engine/simd/lane_shuffles128.inl>
#include <plait/engine/simd/nibble_lookup.inl>

#include <plait/engine/simd/kernel.inl>

#include <plait/engine/simd/pattern_kernels.inl>

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>();

#include <plait/engine/simd/row_conversions.inl>

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::sse41

template <>
struct plait::engine::simd::code_of<plait::isa::sse41> : plait::engine::simd::sse41::code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
