// The shuffles of a network that is a table, for AVX-512: exchanges and reordering. Lanes are bytes.
// Included by avx512.hpp, in its namespace.
// Requires the registers of avx512.hpp before it.

/// One vector of a network, as a register.
template <int Bytes>
[[gnu::always_inline]] inline bits<Bytes> load_vector(const lane_vector& from) {
    return vector<Bytes>::load(reinterpret_cast<const std::byte*>(from.words));
}

// Masked forms with all lanes set; avx512.hpp explains why.
template <int Bytes>
struct lane_shuffles;

template <>
struct lane_shuffles<64> {
    using reg = __m512i;
    static constexpr bool goes_across = true;

    /// Exchanges a register bit with lane bit 0 or 1.
    [[gnu::always_inline]] static inline void exchange_within(reg& low, reg& high, reg ones, reg shift) {
        const reg a = low, b = high;
        low = _mm512_maskz_ternarylogic_epi32(0xffff, ones, _mm512_maskz_sllv_epi32(0xffff, b, shift), a, 0xca);
        high = _mm512_maskz_ternarylogic_epi32(0xffff, ones, b, _mm512_maskz_srlv_epi32(0xffff, a, shift), 0xca);
    }
    /// Exchanges the high halves of the bytes of the first register with the low halves of the second.
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg& low, reg& high) {
        const reg a = low, b = high, ones = _mm512_set1_epi8(-16);
        low = _mm512_maskz_ternarylogic_epi32(0xffff, ones, _mm512_maskz_slli_epi32(0xffff, b, 4), a, 0xca);
        high = _mm512_maskz_ternarylogic_epi32(0xffff, ones, b, _mm512_maskz_srli_epi32(0xffff, a, 4), 0xca);
    }
    /// Exchanges a register bit with a higher lane bit. The tables choose the bit; Lane is ignored.
    template <int Lane>
    [[gnu::always_inline]] static inline void exchange(reg& low, reg& high, reg first, reg second) {
        const reg a = low, b = high;
        low = _mm512_maskz_permutex2var_epi32(0xffff, a, first, b);
        high = _mm512_maskz_permutex2var_epi32(0xffff, a, second, b);
    }
    [[gnu::always_inline]] static inline reg order_within(reg value, reg from) {
        return _mm512_maskz_shuffle_epi8(~__mmask64{0}, value, from);
    }
    [[gnu::always_inline]] static inline reg order_across(reg value, reg from) {
        return _mm512_maskz_permutexvar_epi32(0xffff, from, value);
    }
};

template <>
struct lane_shuffles<32> {
    using reg = __m256i;
    static constexpr bool goes_across = true;

    [[gnu::always_inline]] static inline void exchange_within(reg& low, reg& high, reg ones, reg shift) {
        const reg a = low, b = high;
        low = _mm256_ternarylogic_epi32(ones, _mm256_sllv_epi32(b, shift), a, 0xca);
        high = _mm256_ternarylogic_epi32(ones, b, _mm256_srlv_epi32(a, shift), 0xca);
    }
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg& low, reg& high) {
        const reg a = low, b = high, ones = _mm256_set1_epi8(-16);
        low = _mm256_ternarylogic_epi32(ones, _mm256_slli_epi32(b, 4), a, 0xca);
        high = _mm256_ternarylogic_epi32(ones, b, _mm256_srli_epi32(a, 4), 0xca);
    }
    template <int Lane>
    [[gnu::always_inline]] static inline void exchange(reg& low, reg& high, reg first, reg second) {
        const reg a = low, b = high;
        low = _mm256_permutex2var_epi32(a, first, b);
        high = _mm256_permutex2var_epi32(a, second, b);
    }
    [[gnu::always_inline]] static inline reg order_within(reg value, reg from) {
        return _mm256_shuffle_epi8(value, from);
    }
    [[gnu::always_inline]] static inline reg order_across(reg value, reg from) {
        return _mm256_permutevar8x32_epi32(value, from);
    }
};

template <>
struct lane_shuffles<16> {
    using reg = __m128i;
    static constexpr bool goes_across = false;

    [[gnu::always_inline]] static inline void exchange_within(reg& low, reg& high, reg ones, reg shift) {
        const reg a = low, b = high;
        low = _mm_ternarylogic_epi32(ones, _mm_sllv_epi32(b, shift), a, 0xca);
        high = _mm_ternarylogic_epi32(ones, b, _mm_srlv_epi32(a, shift), 0xca);
    }
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg& low, reg& high) {
        const reg a = low, b = high, ones = _mm_set1_epi8(-16);
        low = _mm_ternarylogic_epi32(ones, _mm_slli_epi32(b, 4), a, 0xca);
        high = _mm_ternarylogic_epi32(ones, b, _mm_srli_epi32(a, 4), 0xca);
    }
    template <int Lane>
    [[gnu::always_inline]] static inline void exchange(reg& low, reg& high, reg first, reg second) {
        const reg a = low, b = high;
        low = _mm_permutex2var_epi32(a, first, b);
        high = _mm_permutex2var_epi32(a, second, b);
    }
    [[gnu::always_inline]] static inline reg order_within(reg value, reg from) { return _mm_shuffle_epi8(value, from); }
    [[gnu::always_inline]] static inline reg order_across(reg value, reg) { return value; }
};

inline constexpr bool exchanges_by_table = true;
