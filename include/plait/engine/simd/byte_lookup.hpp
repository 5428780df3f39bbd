#pragma once
// Conversions of 8-bit elements by a table: with attributes of one value each, the result of an element depends on its
// 8 bits only, so 256 results are computed once and looked up. The instructions are those of VBMI, which some CPUs with
// AVX-512 have: they look up 64 bytes in a table of 128.
//
// Example: u8 -> u8 with a scale and a zero point: 64 elements take two look-ups and a selection, instead of arithmetic
// on four registers of f32.

#include <plait/contract/isa.hpp>
#include <plait/engine/simd/intrinsics.hpp>
#include <plait/engine/simd/row_conversions.hpp>

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi")
#endif
namespace simd::avx512_vbmi {

/// One byte of each of the 256 results.
struct result_plane {
    __m512i quarters[4];

    [[gnu::always_inline]] __m512i look_up(__m512i elements, __mmask64 is_upper) const {
        return _mm512_mask_blend_epi8(is_upper, _mm512_permutex2var_epi8(quarters[0], elements, quarters[1]),
                                      _mm512_permutex2var_epi8(quarters[2], elements, quarters[3]));
    }
};

/// The results of `Bytes` bytes.
template <int Bytes>
struct result_table;
template <>
struct result_table<1> {
    result_plane plane;

    [[gnu::always_inline]] explicit result_table(const std::byte* from)
        : plane{{_mm512_loadu_si512(from), _mm512_loadu_si512(from + 64), _mm512_loadu_si512(from + 128),
                 _mm512_loadu_si512(from + 192)}} {}
    /// Stores the results of the first 64, 32 or 16 bytes of a register.
    template <int Count>
    [[gnu::always_inline]] void store(std::byte* to, __m512i elements) const {
        const __m512i results = plane.look_up(elements, _mm512_movepi8_mask(elements));
        if constexpr (Count == 64) _mm512_storeu_si512(to, results);
        else if constexpr (Count == 32)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_extracti64x4_epi64(0xf, results, 0));
        else _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_maskz_extracti32x4_epi32(0xf, results, 0));
    }
    [[gnu::always_inline]] void store(std::byte* to, __m512i elements, __mmask64 kept) const {
        _mm512_mask_storeu_epi8(to, kept, plane.look_up(elements, _mm512_movepi8_mask(elements)));
    }
};
/// The places of every second of 128 bytes, from the first or from the second on.
struct second_bytes {
    alignas(64) std::uint8_t at[64]{};
    constexpr explicit second_bytes(int first) {
        for (int i = 0; i < 64; ++i) at[i] = static_cast<std::uint8_t>(2 * i + first);
    }
};
inline constexpr second_bytes every_second[] = {second_bytes(0), second_bytes(1)};

template <>
struct result_table<2> {
    result_plane low, high;

    [[gnu::always_inline]] explicit result_table(const std::byte* from) {
        const __m512i evens = _mm512_load_si512(every_second[0].at), odds = _mm512_load_si512(every_second[1].at);
        for (int k = 0; k < 4; ++k) {
            const __m512i first = _mm512_loadu_si512(from + 128 * k), second = _mm512_loadu_si512(from + 128 * k + 64);
            low.quarters[k] = _mm512_permutex2var_epi8(first, evens, second);
            high.quarters[k] = _mm512_permutex2var_epi8(first, odds, second);
        }
    }
    /// Unpacking works within 128 bits: the eights of elements are ordered so that it leaves them in order.
    [[gnu::always_inline]] static __m512i ordered(__m512i elements) {
        return _mm512_maskz_permutexvar_epi64(0xff, _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), elements);
    }
    template <int Count>
    [[gnu::always_inline]] void store(std::byte* to, __m512i elements) const {
        const __m512i eights = ordered(elements);
        const __mmask64 is_upper = _mm512_movepi8_mask(eights);
        const __m512i lows = low.look_up(eights, is_upper), highs = high.look_up(eights, is_upper),
                      first = _mm512_maskz_unpacklo_epi8(~__mmask64{0}, lows, highs);
        if constexpr (Count == 16)
            return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_extracti64x4_epi64(0xf, first, 0));
        _mm512_storeu_si512(to, first);
        if constexpr (Count == 64) _mm512_storeu_si512(to + 64, _mm512_maskz_unpackhi_epi8(~__mmask64{0}, lows, highs));
    }
    [[gnu::always_inline]] void store(std::byte* to, __m512i elements, __mmask64 kept) const {
        const __m512i eights = ordered(elements);
        const __mmask64 is_upper = _mm512_movepi8_mask(eights);
        const __m512i lows = low.look_up(eights, is_upper), highs = high.look_up(eights, is_upper);
        _mm512_mask_storeu_epi16(to, static_cast<__mmask32>(kept),
                                 _mm512_maskz_unpacklo_epi8(~__mmask64{0}, lows, highs));
        _mm512_mask_storeu_epi16(to + 64, static_cast<__mmask32>(kept >> 32),
                                 _mm512_maskz_unpackhi_epi8(~__mmask64{0}, lows, highs));
    }
};

template <int Count>
[[gnu::always_inline]] inline __m512i load_elements_of_row(const std::byte* from) {
    if constexpr (Count == 64) return _mm512_loadu_si512(from);
    else if constexpr (Count == 32)
        return _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    else return _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

/// Looks up rows. The last register of a row overlaps the one before it; rows below 16 elements use masks.
template <int Bytes>
inline void look_up_rows(const std::byte* results, const std::byte* from, std::byte* to,
                         const row_block& block) noexcept {
    const result_table<Bytes> table(results);
    dim_t count = block.count, rows = block.rows;
    if (block.from_step == count && block.to_step == count * Bytes) {  // as one row
        count *= rows;
        rows = 1;
    }
    const auto run = [&](auto lanes) __attribute__((always_inline)) {
        constexpr int at_once = decltype(lanes)::value;
        const auto one = [&table](const std::byte* x, std::byte* y, dim_t i) __attribute__((always_inline)) {
            table.template store<at_once>(y + i * Bytes, load_elements_of_row<at_once>(x + i));
        };
        for (dim_t again = 0; again < block.repeats; ++again)
            for (dim_t row = 0; row < rows; ++row) {
                const std::byte* const x = from + again * block.from_repeat + row * block.from_step;
                std::byte* const y = to + again * block.to_repeat + row * block.to_step;
                dim_t i = 0;
                for (; i + at_once <= count; i += at_once) one(x, y, i);
                if (i < count) one(x, y, count - at_once);
            }
    };
    if (count >= 64) return run(std::integral_constant<int, 64>{});
    if (count >= 32) return run(std::integral_constant<int, 32>{});
    if (count >= 16) return run(std::integral_constant<int, 16>{});
    const __mmask64 kept = ~__mmask64{0} >> (64 - count);
    for (dim_t again = 0; again < block.repeats; ++again)
        for (dim_t row = 0; row < rows; ++row)
            table.store(to + again * block.to_repeat + row * block.to_step,
                        _mm512_maskz_loadu_epi8(kept, from + again * block.from_repeat + row * block.from_step), kept);
}

}  // namespace simd::avx512_vbmi
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif

/// Converts rows of 8-bit elements by a table: the results of elements 0 to 255.
using byte_lookup = void(const std::byte* results, const std::byte* from, std::byte* to,
                         const row_block& block) noexcept;

/// Returns the function that looks up results of `bytes` bytes, 1 or 2, with an instruction set; null if this CPU has
/// none for it.
inline byte_lookup* byte_lookup_of([[maybe_unused]] isa instructions, [[maybe_unused]] int bytes) {
#if defined(__x86_64__)
    if (instructions == isa::avx512 && __builtin_cpu_supports("avx512vbmi"))
        return bytes == 1 ? simd::avx512_vbmi::look_up_rows<1> : simd::avx512_vbmi::look_up_rows<2>;
#endif
    return nullptr;
}

}  // namespace plait::engine
