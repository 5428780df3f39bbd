// The shuffles of a network that is a table, with registers of 256 bits. Lanes are bytes.
// Included by avx2.hpp, in its namespace.
// Requires lane_shuffles128.inl before it.

template <>
struct lane_shuffles<32> {
    using reg = __m256i;
    static constexpr bool goes_across = true;

    [[gnu::always_inline]] static inline void exchange_within(reg& low, reg& high, reg ones, reg shift) {
        const reg a = low, b = high;
        low = _mm256_blendv_epi8(a, _mm256_sllv_epi32(b, shift), ones);
        high = _mm256_blendv_epi8(_mm256_srlv_epi32(a, shift), b, ones);
    }
    /// Exchanges the high halves of the bytes of the first register with the low halves of the second.
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg& low, reg& high) {
        const reg differ = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi32(low, 4), high), _mm256_set1_epi8(15));
        low = _mm256_xor_si256(low, _mm256_slli_epi32(differ, 4));
        high = _mm256_xor_si256(high, differ);
    }
    template <int Lane>
    [[gnu::always_inline]] static inline void exchange(reg& low, reg& high, reg, reg) {
        const reg a = low, b = high;
        if constexpr (Lane == 2) {
            low = _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xaa);
            high = _mm256_blend_epi32(_mm256_srli_epi64(a, 32), b, 0xaa);
        } else if constexpr (Lane == 3) {
            low = _mm256_unpacklo_epi64(a, b);
            high = _mm256_unpackhi_epi64(a, b);
        } else {
            low = _mm256_permute2x128_si256(a, b, 0x20);
            high = _mm256_permute2x128_si256(a, b, 0x31);
        }
    }
    [[gnu::always_inline]] static inline reg order_within(reg value, reg from) {
        return _mm256_shuffle_epi8(value, from);
    }
    [[gnu::always_inline]] static inline reg order_across(reg value, reg from) {
        return _mm256_permutevar8x32_epi32(value, from);
    }
};
