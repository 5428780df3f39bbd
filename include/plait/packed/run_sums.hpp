#pragma once
// Sums of integers of 4 and 8 bits that lie side by side.

#include <plait/packed/bit_access.hpp>
#include <plait/packed/record_tag.hpp>
#include <plait/packed/wide_steps.hpp>

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the sum of the bytes of a word.
inline std::uint64_t sum_of_bytes(std::uint64_t word) {
    constexpr std::uint64_t every_other = 0x00ff00ff00ff00ff;
    return ((word & every_other) + (word >> 8 & every_other)) * 0x0001000100010001 >> 48;
}

/// Returns the sum of the bytes of a run, each after `flipped` is applied; of both halves of each byte if `halves`.
inline std::uint64_t sum_of_bytes(const std::byte* from, dim_t count, std::uint8_t flipped, bool halves) {
    constexpr std::uint64_t every_byte = 0x0101010101010101, low = 0x0f * every_byte;
    std::uint64_t total = 0;
    dim_t i = 0;
#if defined(__SSE2__)
    const __m128i zero = _mm_setzero_si128(), low_halves = _mm_set1_epi8(0x0f),
                  flips = _mm_set1_epi8(static_cast<char>(flipped));
    __m128i sums = zero;
    for (; i + 16 <= count; i += 16) {
        __m128i word = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)), flips);
        if (halves)
            word = _mm_add_epi8(_mm_and_si128(word, low_halves), _mm_and_si128(_mm_srli_epi16(word, 4), low_halves));
        sums = _mm_add_epi64(sums, _mm_sad_epu8(word, zero));
    }
    total = static_cast<std::uint64_t>(_mm_cvtsi128_si64(sums)) +
            static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
#endif
    const std::uint64_t flips_of_word = flipped * every_byte;
    for (; i < count; i += 8) {
        const dim_t bytes = count - i < 8 ? count - i : 8;
        std::uint64_t word = 0;
        std::memcpy(&word, from + i, static_cast<std::size_t>(bytes));
        word ^= bytes < 8 ? flips_of_word & ((std::uint64_t{1} << 8 * bytes) - 1) : flips_of_word;
        total += sum_of_bytes(halves ? (word & low) + (word >> 4 & low) : word);
    }
    return total;
}

#if defined(__SSE2__)
/// Returns the sums of the bytes of four runs, each as sum_of_bytes does.
///
/// Pre:     count is a multiple of 16, and less than 2^20
[[gnu::always_inline]] inline __m128i sums_of_four_runs(const std::byte* from, dim_t step, dim_t count,
                                                        std::uint8_t flipped, bool halves) {
    const __m128i zero = _mm_setzero_si128(), low_halves = _mm_set1_epi8(0x0f),
                  flips = _mm_set1_epi8(static_cast<char>(flipped));
    const auto add = [&](__m128i& sum, const std::byte* at) {
        __m128i word = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), flips);
        if (halves)
            word = _mm_add_epi8(_mm_and_si128(word, low_halves), _mm_and_si128(_mm_srli_epi16(word, 4), low_halves));
        sum = _mm_add_epi64(sum, _mm_sad_epu8(word, zero));
    };
    __m128i a = zero, b = zero, c = zero, d = zero;
    for (dim_t i = 0; i < count; i += 16) {
        const std::byte* at = from + i;
        add(a, at), add(b, at + step), add(c, at + 2 * step), add(d, at + 3 * step);
    }
    const __m128i first = _mm_or_si128(a, _mm_slli_epi64(b, 32)), second = _mm_or_si128(c, _mm_slli_epi64(d, 32));
    return _mm_add_epi32(_mm_unpacklo_epi64(first, second), _mm_unpackhi_epi64(first, second));
}
#endif

/// How stored bits become the number that a sum takes.
struct number_rule {
    int width = 0;                ///< of what is stored
    std::uint64_t flips = 0;      ///< bits that are inverted first
    std::int64_t subtracted = 0;  ///< then

    constexpr std::int64_t operator()(std::uint64_t stored) const {
        return static_cast<std::int64_t>((stored ^ flips) & low_bits(width)) - subtracted;
    }

    /// Returns what is flipped in each byte of a run of numbers.
    ///
    /// Pre:     width is 4 or 8
    constexpr std::uint8_t flips_of_byte() const { return static_cast<std::uint8_t>(width == 4 ? flips * 17 : flips); }
};

/// Returns the rule for values that are stored as `stored` says and summed as `summed` says: a signed type, or bits of
/// which the highest is stored inverted, count from the middle of the range.
constexpr number_rule number_rule_of(const record_field& summed, const record_field& stored) {
    const std::uint64_t half = std::uint64_t{1} << (summed.low + summed.width - 1);
    const bool is_signed =
        summed.type == data_type::s4 || summed.type == data_type::s8 || summed.type == data_type::s32;
    const bool from_middle = is_signed || summed.flipped == half;
    return {stored.width, stored.flipped ^ (is_signed ? half : 0), from_middle ? static_cast<std::int64_t>(half) : 0};
}

/// Returns the sum of the numbers that fill a run of bytes.
///
/// Pre:     rule.width is 4 or 8
inline std::int64_t sum_of_run(const step_code& code, const number_rule& rule, const std::byte* from, dim_t bytes) {
    const bool halves = rule.width == 4;
    const std::uint8_t flips = rule.flips_of_byte();
    const dim_t wide = bytes < 4 * code.vector_bytes ? 0 : bytes / code.vector_bytes * code.vector_bytes;
    std::uint64_t sum = wide == 0 ? 0 : code.sum_bytes(from, wide, flips, halves);
    if (wide < bytes) sum += sum_of_bytes(from + wide, bytes - wide, flips, halves);
    return static_cast<std::int64_t>(sum) - rule.subtracted * bytes * (halves ? 2 : 1);
}

}  // namespace plait::detail
