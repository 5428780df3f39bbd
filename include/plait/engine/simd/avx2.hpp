#pragma once
// AVX2 and F16C: 256-bit registers, masked loads of 4- and 8-byte elements.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/scalar.hpp>
#include <plait/engine/simd/sse41.hpp>

#if defined(__x86_64__)
#include <immintrin.h>

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

inline constexpr isa this_isa = isa::avx2;

[[gnu::always_inline]] inline void finish_streams() { _mm_sfence(); }

/// Loads and stores the first bytes of a register by two accesses that overlap: 13 bytes are bytes 0 to 7 and 5 to 12.
/// A copy through memory is avoided: a register would be loaded from what two stores wrote, and wait until both are in
/// the cache. That took as long as twenty tiles of whole registers.
struct first_bytes {
    /// Returns x with each byte taken from `down` places further up, or zero if there is none; `down` is in [-16, 16].
    [[gnu::always_inline]] static inline __m128i moved(__m128i x, std::ptrdiff_t down) {
        return _mm_shuffle_epi8(x, _mm_loadu_si128(reinterpret_cast<const __m128i*>(byte_numbers + 16 + down)));
    }
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::ptrdiff_t bytes) {
        if (bytes >= 16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        if (bytes >= 8)
            return _mm_or_si128(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)),
                                moved(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + bytes - 8)), 8 - bytes));
        if (bytes >= 4) return _mm_or_si128(load_few<4>(from), moved(load_few<4>(from + bytes - 4), 4 - bytes));
        if (bytes >= 2) return _mm_or_si128(load_few<2>(from), moved(load_few<2>(from + bytes - 2), 2 - bytes));
        return bytes == 1 ? load_few<1>(from) : _mm_setzero_si128();
    }
    [[gnu::always_inline]] static inline __m256i load256(const std::byte* from, std::ptrdiff_t bytes) {
        const __m256i low = _mm256_zextsi128_si256(load128(from, bytes));
        return bytes <= 16 ? low : _mm256_inserti128_si256(low, moved(load128(from + bytes - 16, 16), 32 - bytes), 1);
    }
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::ptrdiff_t bytes) {
        if (bytes >= 16) _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
        else if (bytes >= 8) {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to), value);
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to + bytes - 8), moved(value, bytes - 8));
        } else if (bytes >= 4) {
            store_few<4>(to, value);
            store_few<4>(to + bytes - 4, moved(value, bytes - 4));
        } else if (bytes >= 2) {
            store_few<2>(to, value);
            store_few<2>(to + bytes - 2, moved(value, bytes - 2));
        } else if (bytes == 1) store_few<1>(to, value);
    }
    [[gnu::always_inline]] static inline void store256(std::byte* to, __m256i value, std::ptrdiff_t bytes) {
        const __m128i low = _mm256_castsi256_si128(value);
        store128(to, low, bytes);
        if (bytes > 16)
            store128(to + bytes - 16,
                     _mm_or_si128(moved(low, bytes - 16), moved(_mm256_extracti128_si256(value, 1), bytes - 32)), 16);
    }
    // Not inlined if the number is unknown to the compiler; otherwise a tile at an end would contain dozens of copies.
    [[gnu::noinline]] static __m256i load_apart(const std::byte* from, std::ptrdiff_t bytes) {
        return load256(from, bytes);
    }
    [[gnu::noinline]] static void store_apart(std::byte* to, __m256i value, std::ptrdiff_t bytes) {
        store256(to, value, bytes);
    }

private:
    static constexpr std::uint8_t none = 0x80;
    static constexpr std::uint8_t byte_numbers[48] = {
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none};
    template <std::size_t Bytes>
    [[gnu::always_inline]] static inline __m128i load_few(const std::byte* from) {
        int value = 0;
        std::memcpy(&value, from, Bytes);
        return _mm_cvtsi32_si128(value);
    }
    template <std::size_t Bytes>
    [[gnu::always_inline]] static inline void store_few(std::byte* to, __m128i value) {
        const int low = _mm_cvtsi128_si32(value);
        std::memcpy(to, &low, Bytes);
    }
};

struct masks {
    /// Returns a register in which each lane of the mask has all bits set.
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
    /// Returns true if a mask has the first lanes only, as nearly all have.
    [[gnu::always_inline]] static inline bool are_first(std::uint64_t lanes) { return (lanes & (lanes + 1)) == 0; }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline std::ptrdiff_t bytes_of_first(std::uint64_t lanes) {
        return std::ptrdiff_t{std::countr_one(lanes)} * ElementBytes;
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m256i load256(const std::byte* from, std::uint64_t lanes) {
        if constexpr (ElementBytes == 4)
            return _mm256_maskload_epi32(reinterpret_cast<const int*>(from), wide<4>(lanes));
        if constexpr (ElementBytes == 8)
            return _mm256_maskload_epi64(reinterpret_cast<const long long*>(from), wide<8>(lanes));
        if (are_first(lanes)) {
            const std::ptrdiff_t bytes = bytes_of_first<ElementBytes>(lanes);
            return __builtin_constant_p(bytes) ? first_bytes::load256(from, bytes)
                                               : first_bytes::load_apart(from, bytes);
        }
        lanes_in_memory<ElementBytes, 32> memory;
        memory.load(from, lanes);
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(memory.all));
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store256(std::byte* to, __m256i value, std::uint64_t lanes) {
        // Masked stores of 4 and 8 bytes are avoided: AMD CPUs split one into twenty instructions.
        if (are_first(lanes)) {
            const std::ptrdiff_t bytes = bytes_of_first<ElementBytes>(lanes);
            if (__builtin_constant_p(bytes)) first_bytes::store256(to, value, bytes);
            else first_bytes::store_apart(to, value, bytes);
            return;
        }
        lanes_in_memory<ElementBytes, 32> memory;
        _mm256_store_si256(reinterpret_cast<__m256i*>(memory.all), value);
        memory.store(to, lanes);
    }
    // Masks for half of a 256-bit register: the mask of its lanes covers both.
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

#include <plait/engine/simd/past_cache.inl>
#include <plait/engine/simd/vector128.inl>
#include <plait/engine/simd/vector256.inl>

#include <plait/engine/simd/convert256.inl>
#include <plait/engine/simd/convert_lanes.inl>
#include <plait/engine/simd/element_access.inl>
#include <plait/engine/simd/lane_shuffles128.inl>
#include <plait/engine/simd/lane_shuffles256.inl>
#include <plait/engine/simd/nibble_lookup.inl>

#include <plait/engine/simd/kernel.inl>

#include <plait/engine/simd/pattern_kernels.inl>

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables. Registers of 16 bytes use the kernels of SSE4.1.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>(sse41::every_table_kernel<Widest / 2>);

#include <plait/engine/simd/row_conversions.inl>

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::avx2

template <>
struct plait::engine::simd::code_of<plait::isa::avx2> : plait::engine::simd::avx2::code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
