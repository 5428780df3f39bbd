#pragma once
// Conversions of rows, and functions for bytes, with AVX-512.

#include <plait/engine/simd/avx512.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl")
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::avx512 {

// Look-ups of 32 elements of 4 bits in a table of 16, for AVX-512.

/// A table of 16 numbers of `Bytes` bytes, in a register.
template <int Bytes>
struct nibble_table {
    static_assert(Bytes == 2);
    __m512i table, words, shifts;

    [[gnu::always_inline]] explicit nibble_table(__m256i numbers)
        : table(_mm512_maskz_broadcast_i64x4(0xff, numbers)),
          words(_mm512_set_epi16(7, 7, 7, 7, 6, 6, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0,
                                 0, 0, 0)),
          shifts(_mm512_set1_epi64(0x000c'0008'0004'0000)) {}
    /// Looks up the 32 elements of 16 bytes. An index is the lowest five bits of a lane; the table is there twice.
    [[gnu::always_inline]] void look_up(const std::byte* from, std::byte* to) const {
        const __m512i bytes = _mm512_castsi128_si512(vector<16>::load(from));
        const __m512i each = _mm512_maskz_permutexvar_epi16(~__mmask32{0}, words, bytes);
        vector<64>::store(to, _mm512_maskz_permutexvar_epi16(
                                  ~__mmask32{0}, _mm512_maskz_srlv_epi16(~__mmask32{0}, each, shifts), table));
    }
};
template <>
struct nibble_table<4> {
    __m512i table, words, shifts;

    [[gnu::always_inline]] explicit nibble_table(__m512i numbers)
        : table(numbers),
          words(_mm512_set_epi32(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
          shifts(_mm512_set_epi32(28, 24, 20, 16, 12, 8, 4, 0, 28, 24, 20, 16, 12, 8, 4, 0)) {}
    [[gnu::always_inline]] void look_up(const std::byte* from, std::byte* to) const {
        look_up_half(from, to);
        look_up_half(from + 8, to + 64);
    }

private:
    [[gnu::always_inline]] void look_up_half(const std::byte* from, std::byte* to) const {
        const __m512i bytes = _mm512_castsi128_si512(vector<8>::load(from));
        const __m512i each = _mm512_maskz_permutexvar_epi32(0xffff, words, bytes);
        vector<64>::store(to,
                          _mm512_maskz_permutexvar_epi32(0xffff, _mm512_maskz_srlv_epi32(0xffff, each, shifts), table));
    }
};
template <>
struct nibble_table<1> {
    __m256i table;

    [[gnu::always_inline]] explicit nibble_table(__m128i numbers) : table(_mm256_broadcastsi128_si256(numbers)) {}
    [[gnu::always_inline]] void look_up(const std::byte* from, std::byte* to) const {
        const __m256i pairs = _mm256_cvtepu8_epi16(vector<16>::load(from));
        const __m256i each =
            _mm256_and_si256(_mm256_or_si256(pairs, _mm256_slli_epi16(pairs, 4)), _mm256_set1_epi16(0x0f0f));
        vector<32>::store(to, _mm256_shuffle_epi8(table, each));
    }
};

#include <plait/engine/simd/row_functions.inl>

}  // namespace plait::engine::simd::avx512

template <>
struct plait::engine::simd::row_code_of<plait::isa::avx512> : plait::engine::simd::avx512::row_code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
