// Registers of 256 bits.
// Included by avx2.hpp and avx512.hpp, in their namespaces.
// Requires `masks` before it.

#include <plait/engine/simd/vector128.inl>

template <>
struct vector<32> {
    using reg = __m256i;

    [[gnu::always_inline]] static inline reg load(const std::byte* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
    }
    [[gnu::always_inline]] static inline void stream(std::byte* to, reg value) {
        store_past_cache(reinterpret_cast<__m256i*>(to), value);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg load(const std::byte* from, std::uint64_t lanes) {
        return masks::template load256<ElementBytes>(from, lanes);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value, std::uint64_t lanes) {
        masks::template store256<ElementBytes>(to, value, lanes);
    }
    /// Returns a register in which each lane of the mask has all bits set.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg mask_of_lanes(std::uint64_t lanes) {
        constexpr const lane_selection<ElementBytes>& table = selection_of_lanes<ElementBytes>;
        const __m256i bits = _mm256_load_si256(reinterpret_cast<const __m256i*>(table.bits)),
                      bytes = _mm256_load_si256(reinterpret_cast<const __m256i*>(table.bytes)),
                      spread = _mm256_shuffle_epi8(_mm256_set1_epi64x(static_cast<long long>(lanes)), bytes);
        return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg keep_lanes(reg value, std::uint64_t lanes) {
        return _mm256_and_si256(value, mask_of_lanes<ElementBytes>(lanes));
    }

    [[gnu::always_inline]] static inline reg join(__m128i low, __m128i high) {
        return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    }
    template <bool Upper>
    [[gnu::always_inline]] static inline __m128i half(reg value) {
        if constexpr (!Upper) return _mm256_castsi256_si128(value);
        else return _mm256_extracti128_si256(value, 1);
    }

    [[gnu::always_inline]] static inline reg pick_bytes(reg value, const std::uint8_t* table) {
        return _mm256_shuffle_epi8(
            value, _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table))));
    }
    [[gnu::always_inline]] static inline reg spread(const std::uint8_t* table) {
        return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    }
    [[gnu::always_inline]] static inline reg pick_bytes(reg value, reg from) {
        return _mm256_shuffle_epi8(value, from);
    }
    [[gnu::always_inline]] static inline reg select_bytes(reg selected, reg then, reg otherwise) {
        return _mm256_blendv_epi8(otherwise, then, selected);
    }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return _mm256_or_si256(a, b); }
    [[gnu::always_inline]] static inline reg sum_eights(reg value) {
        return _mm256_sad_epu8(value, _mm256_setzero_si256());
    }
    [[gnu::always_inline]] static inline reg shift(reg value, int left, int right) {
        return _mm256_srl_epi16(_mm256_sll_epi16(value, _mm_cvtsi32_si128(left)), _mm_cvtsi32_si128(right));
    }
    [[gnu::always_inline]] static inline reg add_masked(reg out, reg value, reg mask) {
        return _mm256_xor_si256(out, _mm256_and_si256(value, mask));
    }

    template <shuffle_rule Rule, int ElementBytes>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        constexpr int unit_bytes = ElementBytes << Rule.first;
        const reg a = low, b = high;
        if constexpr (unit_bytes == 16)
            low = _mm256_permute2x128_si256(a, b, 0x20), high = _mm256_permute2x128_si256(a, b, 0x31);
        else if constexpr (unit_bytes == 1) low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
        else if constexpr (unit_bytes == 2) low = _mm256_unpacklo_epi16(a, b), high = _mm256_unpackhi_epi16(a, b);
        else if constexpr (unit_bytes == 4) low = _mm256_unpacklo_epi32(a, b), high = _mm256_unpackhi_epi32(a, b);
        else low = _mm256_unpacklo_epi64(a, b), high = _mm256_unpackhi_epi64(a, b);
    }
};
