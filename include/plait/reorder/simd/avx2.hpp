#pragma once
// AVX2 and F16C: 256-bit registers, masked loads of 4- and 8-byte elements.

#include <plait/reorder/convert.hpp>
#include <plait/reorder/simd/scalar.hpp>
#include <plait/reorder/simd/sse41.hpp>

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template; Clang looks at signs in the same lines.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif

namespace plait::simd::avx2 {

inline constexpr isa this_isa = isa::avx2;

[[gnu::always_inline]] inline void finish_streams() { _mm_sfence(); }

struct masks {
    /// All bits of each lane that is in the mask.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m256i wide(std::uint64_t lanes) {
        if constexpr (ElementBytes == 4) {
            const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(lanes)), bits), bits);
        } else {
            const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
            return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(lanes)), bits), bits);
        }
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m256i load256(const std::byte* from, std::uint64_t lanes) {
        if constexpr (ElementBytes == 4)
            return _mm256_maskload_epi32(reinterpret_cast<const int*>(from), wide<4>(lanes));
        if constexpr (ElementBytes == 8)
            return _mm256_maskload_epi64(reinterpret_cast<const long long*>(from), wide<8>(lanes));
        lanes_in_memory<ElementBytes, 32> memory;
        memory.load(from, lanes);
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(memory.all));
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store256(std::byte* to, __m256i value, std::uint64_t lanes) {
        // Not masked stores of 4 and 8 bytes: AMD makes twenty instructions of one.
        lanes_in_memory<ElementBytes, 32> memory;
        _mm256_store_si256(reinterpret_cast<__m256i*>(memory.all), value);
        memory.store(to, lanes);
    }
    // Half of a 256-bit register: the mask of its lanes covers both.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::uint64_t lanes) {
        constexpr std::uint64_t half = (1u << (16 / ElementBytes)) - 1;
        return _mm256_castsi256_si128(load256<ElementBytes>(from, lanes & half));
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::uint64_t lanes) {
        constexpr std::uint64_t half = (1u << (16 / ElementBytes)) - 1;
        store256<ElementBytes>(to, _mm256_castsi128_si256(value), lanes & half);
    }
};

#include <plait/reorder/simd/past_cache.inl>
#include <plait/reorder/simd/vector128.inl>
#include <plait/reorder/simd/vector256.inl>

#include <plait/reorder/simd/convert256.inl>
#include <plait/reorder/simd/convert_lanes.inl>
#include <plait/reorder/simd/element_access.inl>
#include <plait/reorder/simd/lane_shuffles128.inl>
#include <plait/reorder/simd/lane_shuffles256.inl>

#include <plait/reorder/simd/kernel.inl>

/// The kernels whose networks are data. Registers of 16 bytes have those of SSE4.1.
template <int Widest = vector_bytes(this_isa)>
inline constexpr data_kernels every_data_kernel = make_data_kernels<Widest>(sse41::every_data_kernel<Widest / 2>);

#include <plait/reorder/simd/attributed_kernel.inl>

#include <plait/reorder/simd/value_rows.inl>

}  // namespace plait::simd::avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
