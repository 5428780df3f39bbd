#pragma once
// The product with AVX2 and with AVX-512, on rows and on panels of 8x8. No flags are needed: each function names its
// target. They are not lambdas, which GCC 12 compiles for the unit's flags.

#include "portable.hpp"

#include <plait/contract/isa.hpp>

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>

namespace packed_matmul {

/// Where a value of a panel of 8x8 is, in bytes from the first value. The compiler computes it.
template <dim_t N, dim_t K>
inline constexpr std::ptrdiff_t at_8x8 = [] {
    constexpr q4_8x8 sample(plait::dims{8, block});
    return (sample.bit_offset<"q">(N, K) - sample.bit_offset<"q">(0, 0)) / 8;
}();

inline bool has_avx2() { return plait::cpu_has(plait::isa::avx2) && __builtin_cpu_supports("fma"); }
inline bool has_avx512() { return plait::cpu_has(plait::isa::avx512) && __builtin_cpu_supports("avx512vnni"); }

/// The 32 products of 8 bits of values of two halves with x, added by pairs and quads: at most 4 * 15 * 128.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i add_products(__m256i both, __m256i x_low, __m256i x_high) {
    const __m256i mask = _mm256_set1_epi8(15), low = _mm256_and_si256(both, mask);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), mask);
    return _mm256_add_epi16(_mm256_maddubs_epi16(low, x_low), _mm256_maddubs_epi16(high, x_high));
}
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i load256(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
/// Loads eight values of x, and repeats them for each of four rows.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i repeat_eight(const std::int8_t* from) {
    return _mm256_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}

/// Adds the products of four rows of a panel: 16 sums of 16 bits, of which each row has four.
template <dim_t Row>
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i four_rows(const std::byte* q, const std::int8_t* x) {
    const __m256i inverted = _mm256_set1_epi8(static_cast<char>(0x88));  // undoes ^8
    const __m256i first = _mm256_xor_si256(load256(q + at_8x8<Row, 0>), inverted);
    const __m256i second = _mm256_xor_si256(load256(q + at_8x8<Row, 8>), inverted);
    return _mm256_add_epi16(add_products(first, repeat_eight(x), repeat_eight(x + 16)),
                            add_products(second, repeat_eight(x + 8), repeat_eight(x + 24)));
}

/// Each panel has its eight sums in the eight lanes of a register: no sum over lanes is left.
[[gnu::target("avx2,fma,f16c")]] inline void multiply_avx2(weights<q4_8x8> w, const activations& x,
                                                           std::span<float> y) {
    const __m256i ones = _mm256_set1_epi16(1);
    for (dim_t p = 0; p < w.extent(0) / 8; ++p) {
        __m256 sums = _mm256_setzero_ps();
        for (dim_t b = 0; b < w.extent(1) / block; ++b) {
            const std::span<const std::byte, 16> scales = w.block<"d">(p, b);
            const std::span<const std::byte, 128> q = w.block<"q">(p, b);
            const std::int8_t* const v = x.q.data() + b * block;
            const __m256i low = _mm256_madd_epi16(four_rows<0>(q.data(), v), ones);   // rows 0 0 1 1 | 2 2 3 3
            const __m256i high = _mm256_madd_epi16(four_rows<4>(q.data(), v), ones);  // rows 4 4 5 5 | 6 6 7 7
            // The rows are 0 1 4 5 | 2 3 6 7 after the addition of neighbours, and in order after the permutation.
            const __m256i dots = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low, high), 0b11011000);
            const auto at = static_cast<std::size_t>(b);
            const __m256i products = _mm256_sub_epi32(dots, _mm256_set1_epi32(8 * x.sum[at]));
            const __m256 d = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(scales.data())));
            sums = _mm256_fmadd_ps(_mm256_cvtepi32_ps(products), _mm256_mul_ps(d, _mm256_set1_ps(x.scale[at])), sums);
        }
        _mm256_storeu_ps(y.data() + 8 * p, sums);
    }
}

[[gnu::target("avx2"), gnu::always_inline]] inline float sum_of_lanes(__m256 a, __m256 b) {
    float lanes[8], sum = 0;
    _mm256_storeu_ps(lanes, _mm256_add_ps(a, b));
    for (const float lane : lanes) sum += lane;
    return sum;
}
/// The 32 values of a block of a row: the low halves of its bytes, then the high halves.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i values_of(weights<q4_rows> w, dim_t n, dim_t b) {
    const __m128i two = _mm_loadu_si128(reinterpret_cast<const __m128i*>(w.block<"q">(n, b).data()));
    return _mm256_and_si256(_mm256_set_m128i(_mm_srli_epi16(two, 4), two), _mm256_set1_epi8(15));
}
[[gnu::target("avx2,f16c"), gnu::always_inline]] inline __m256 scale_of(weights<q4_rows> w, const activations& x,
                                                                        dim_t n, dim_t b) {
    std::uint16_t scale;
    std::memcpy(&scale, w.block<"d">(n, b).data(), sizeof(scale));
    return _mm256_set1_ps(_cvtsh_ss(scale) * x.scale[static_cast<std::size_t>(b)]);
}

/// Adds the products of block b of row n. The sum of x is subtracted in each of 8 lanes, so 8 times.
[[gnu::target("avx2,fma,f16c"), gnu::always_inline]] inline __m256 add_block_avx2(weights<q4_rows> w,
                                                                                  const activations& x, dim_t n,
                                                                                  dim_t b, __m256 sums) {
    const __m256i pairs = _mm256_maddubs_epi16(values_of(w, n, b), load256(x.q.data() + b * block));
    const __m256i dots = _mm256_sub_epi32(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)),
                                          _mm256_set1_epi32(x.sum[static_cast<std::size_t>(b)]));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots), scale_of(w, x, n, b), sums);
}
/// The product on rows: each block has one scale, and each row ends with a sum over lanes. Two sums hide the
/// latency of an addition.
[[gnu::target("avx2,fma,f16c")]] inline void multiply_avx2(weights<q4_rows> w, const activations& x,
                                                           std::span<float> y) {
    const dim_t blocks = w.extent(1) / block;
    for (dim_t n = 0; n < w.extent(0); ++n) {
        __m256 even = _mm256_setzero_ps(), odd = _mm256_setzero_ps();
        dim_t b = 0;
        for (; b + 2 <= blocks; b += 2) {
            even = add_block_avx2(w, x, n, b, even);
            odd = add_block_avx2(w, x, n, b + 1, odd);
        }
        if (b < blocks) even = add_block_avx2(w, x, n, b, even);
        y[static_cast<std::size_t>(n)] = sum_of_lanes(even, odd);
    }
}

/// A register holds eight bytes of each of the eight rows, so a row has two lanes of 32 bits.
[[gnu::target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]] inline void multiply_avx512(weights<q4_8x8> w,
                                                                                                  const activations& x,
                                                                                                  std::span<float> y) {
    const __m512i inverted = _mm512_set1_epi8(static_cast<char>(0x88)), mask = _mm512_set1_epi8(15);
    const __m512i doubled = _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    constexpr __mmask16 all = 0xffff;  // GCC 12 warns of some intrinsics without a mask
    for (dim_t p = 0; p < w.extent(0) / 8; ++p) {
        __m512 sums = _mm512_setzero_ps();
        for (dim_t b = 0; b < w.extent(1) / block; ++b) {
            const std::span<const std::byte, 16> scales = w.block<"d">(p, b);
            const std::byte* const q = w.block<"q">(p, b).data();
            const std::int8_t* const v = x.q.data() + b * block;
            const auto at = static_cast<std::size_t>(b);
            std::int64_t eight[4];
            std::memcpy(eight, v, sizeof(eight));
            const __m512i first = _mm512_xor_si512(_mm512_loadu_si512(q + at_8x8<0, 0>), inverted);
            const __m512i second = _mm512_xor_si512(_mm512_loadu_si512(q + at_8x8<0, 8>), inverted);
            __m512i dots = _mm512_set1_epi32(-4 * x.sum[at]);  // two lanes: -8 times the sum
            dots = _mm512_dpbusd_epi32(dots, _mm512_and_si512(first, mask), _mm512_set1_epi64(eight[0]));
            dots = _mm512_dpbusd_epi32(dots, _mm512_and_si512(second, mask), _mm512_set1_epi64(eight[1]));
            const __m512i high = _mm512_and_si512(_mm512_srli_epi16(first, 4), mask);
            dots = _mm512_dpbusd_epi32(dots, high, _mm512_set1_epi64(eight[2]));
            const __m512i higher = _mm512_and_si512(_mm512_srli_epi16(second, 4), mask);
            dots = _mm512_dpbusd_epi32(dots, higher, _mm512_set1_epi64(eight[3]));
            const __m256 d =
                _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(scales.data()))),
                              _mm256_set1_ps(x.scale[at]));
            const __m512 of_lanes = _mm512_maskz_permutexvar_ps(all, doubled, _mm512_castps256_ps512(d));
            sums = _mm512_fmadd_ps(_mm512_maskz_cvtepi32_ps(all, dots), of_lanes, sums);
        }
        float lanes[16];
        _mm512_storeu_ps(lanes, sums);
        for (int r = 0; r < 8; ++r) y[static_cast<std::size_t>(8 * p + r)] = lanes[2 * r] + lanes[2 * r + 1];
    }
}

[[gnu::target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni"), gnu::always_inline]] inline __m256
add_block_avx512(weights<q4_rows> w, const activations& x, dim_t n, dim_t b, __m256 sums) {
    const __m256i start = _mm256_set1_epi32(-x.sum[static_cast<std::size_t>(b)]);
    const __m256i dots = _mm256_dpbusd_epi32(start, values_of(w, n, b), load256(x.q.data() + b * block));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots), scale_of(w, x, n, b), sums);
}
/// The product on rows, whose blocks fill a register of 32 bytes.
[[gnu::target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]] inline void multiply_avx512(weights<q4_rows> w,
                                                                                                  const activations& x,
                                                                                                  std::span<float> y) {
    const dim_t blocks = w.extent(1) / block;
    for (dim_t n = 0; n < w.extent(0); ++n) {
        __m256 even = _mm256_setzero_ps(), odd = _mm256_setzero_ps();
        dim_t b = 0;
        for (; b + 2 <= blocks; b += 2) {
            even = add_block_avx512(w, x, n, b, even);
            odd = add_block_avx512(w, x, n, b + 1, odd);
        }
        if (b < blocks) even = add_block_avx512(w, x, n, b, even);
        y[static_cast<std::size_t>(n)] = sum_of_lanes(even, odd);
    }
}

}  // namespace packed_matmul
#endif
