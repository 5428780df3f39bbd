// The `words` of AVX2 with F16C for convert_lanes.inl: whole registers of 8 lanes of 32 bits, or 4 of 64.
// Included by avx2.hpp, in its namespace.
// Requires vector256.inl before it.

template <int Bytes>
struct register_of_bytes {
    using type = __m128i;
};
template <>
struct register_of_bytes<32> {
    using type = __m256i;
};
/// The register that holds `Bytes` bytes; fewer than 16 bytes are the low bytes of 128 bits.
template <int Bytes>
using bits = typename register_of_bytes<Bytes>::type;

struct words {
    using reg = __m256i;
    using half = __m128i;
    static constexpr int lanes = 8;
    static constexpr bool converts_f16 = true;

    /// Returns a register of another size with the same low bytes; the bytes above them are unspecified.
    template <int Bytes>
    [[gnu::always_inline]] static inline bits<Bytes> fit(__m128i x) {
        if constexpr (Bytes == 32) return _mm256_castsi128_si256(x);
        else return x;
    }
    template <int Bytes>
    [[gnu::always_inline]] static inline bits<Bytes> fit(__m256i x) {
        if constexpr (Bytes == 32) return x;
        else return _mm256_castsi256_si128(x);
    }

    [[gnu::always_inline]] static inline __m256 f32(reg x) { return _mm256_castsi256_ps(x); }
    [[gnu::always_inline]] static inline __m256d f64(reg x) { return _mm256_castsi256_pd(x); }
    [[gnu::always_inline]] static inline reg whole(__m256 x) { return _mm256_castps_si256(x); }
    [[gnu::always_inline]] static inline reg whole(__m256d x) { return _mm256_castpd_si256(x); }

    // Lanes of 32 bits.
    [[gnu::always_inline]] static inline reg all(std::uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b) { return _mm256_add_epi32(a, b); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b) { return _mm256_sub_epi32(a, b); }
    [[gnu::always_inline]] static inline reg bit_and(reg a, reg b) { return _mm256_and_si256(a, b); }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return _mm256_or_si256(a, b); }
    [[gnu::always_inline]] static inline reg minimum(reg a, reg b) { return _mm256_min_epi32(a, b); }
    [[gnu::always_inline]] static inline reg maximum(reg a, reg b) { return _mm256_max_epi32(a, b); }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_left(reg x) {
        return _mm256_slli_epi32(x, Count);
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right(reg x) {
        return _mm256_srli_epi32(x, Count);
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right_signed(reg x) {
        return _mm256_srai_epi32(x, Count);
    }
    [[gnu::always_inline]] static inline reg select_greater(reg a, reg b, reg then, reg otherwise) {
        return whole(_mm256_blendv_ps(f32(otherwise), f32(then), f32(_mm256_cmpgt_epi32(a, b))));
    }
    [[gnu::always_inline]] static inline reg select_nan(reg x, reg then, reg otherwise) {
        return whole(_mm256_blendv_ps(f32(otherwise), f32(then), _mm256_cmp_ps(f32(x), f32(x), _CMP_UNORD_Q)));
    }

    // Lanes of 8 and 16 bits, converted to 32 bits and back. Pack instructions work within 128 bits, so the two halves
    // of x are packed together.
    [[gnu::always_inline]] static inline __m128i low(reg x) { return _mm256_castsi256_si128(x); }
    [[gnu::always_inline]] static inline __m128i high(reg x) { return _mm256_extracti128_si256(x, 1); }
    template <int Bytes>
    [[gnu::always_inline]] static inline reg widen_unsigned(__m128i x) {
        if constexpr (Bytes == 1) return _mm256_cvtepu8_epi32(x);
        else return _mm256_cvtepu16_epi32(x);
    }
    [[gnu::always_inline]] static inline reg widen_signed(__m128i x) { return _mm256_cvtepi8_epi32(x); }
    template <int Bytes>
    [[gnu::always_inline]] static inline __m128i narrow(reg x) {
        const __m128i packed = _mm_packus_epi32(low(x), high(x));
        if constexpr (Bytes == 1) return _mm_packus_epi16(packed, packed);
        else return packed;
    }
    // Packs registers of 32-bit lanes to one of 16-bit or 8-bit lanes, with saturation, and puts the 128-bit parts in
    // order.
    [[gnu::always_inline]] static inline reg pack_u16(reg a, reg b) {
        return _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
    }
    template <bool Signed>
    [[gnu::always_inline]] static inline reg pack_8(reg a, reg b, reg c, reg d) {
        const reg first = _mm256_packs_epi32(a, b), second = _mm256_packs_epi32(c, d);
        const reg packed = Signed ? _mm256_packs_epi16(first, second) : _mm256_packus_epi16(first, second);
        return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    }
    [[gnu::always_inline]] static inline __m128i saturate_s8(reg x) {
        const __m128i packed = _mm_packs_epi32(low(x), high(x));
        return _mm_packs_epi16(packed, packed);
    }
    [[gnu::always_inline]] static inline __m128i saturate_u8(reg x) {
        const __m128i packed = _mm_packs_epi32(low(x), high(x));
        return _mm_packus_epi16(packed, packed);
    }
    [[gnu::always_inline]] static inline __m128i s8_to_u8(__m128i x) { return _mm_max_epi8(x, _mm_setzero_si128()); }
    [[gnu::always_inline]] static inline __m128i u8_to_s8(__m128i x) { return _mm_min_epu8(x, _mm_set1_epi8(127)); }

    // Lanes of f32. Returns the smaller of x and a limit. For NaN, returns NaN or the limit: the instruction returns
    // its second operand.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, float limit) {
        return whole(_mm256_min_ps(_mm256_set1_ps(limit), f32(x)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, float limit) {
        return whole(_mm256_min_ps(f32(x), _mm256_set1_ps(limit)));
    }
    [[gnu::always_inline]] static inline reg f32_to_s32(reg x) { return _mm256_cvtps_epi32(f32(x)); }
    [[gnu::always_inline]] static inline reg s32_to_f32(reg x) { return whole(_mm256_cvtepi32_ps(x)); }
    [[gnu::always_inline]] static inline reg f16_to_f32(__m128i x) {
        __m256 wide = _mm256_cvtph_ps(x);
        asm("" : "+x"(wide));  // else Clang 14 checks for NaN in f16, one lane at a time
        return whole(wide);
    }
    [[gnu::always_inline]] static inline __m128i f32_to_f16(reg x) { return _mm256_cvtps_ph(f32(x), 0); }
    /// Returns the bytes as the high bytes of 16-bit lanes; signed_bytes_by_7 sign-extends them and shifts them by 7.
    [[gnu::always_inline]] static inline __m128i high_bytes(__m128i x) {
        return _mm_unpacklo_epi8(_mm_setzero_si128(), x);
    }
    [[gnu::always_inline]] static inline __m128i signed_bytes_by_7(__m128i x) {
        return _mm_slli_epi16(_mm_cvtepi8_epi16(x), 7);
    }
    [[gnu::always_inline]] static inline __m128i and_16(__m128i x, short mask) {
        return _mm_and_si128(x, _mm_set1_epi16(mask));
    }

    // Lanes of f64. The corresponding 32-bit lanes fill half a register.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, double limit) {
        return whole(_mm256_min_pd(_mm256_set1_pd(limit), f64(x)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, double limit) {
        return whole(_mm256_min_pd(f64(x), _mm256_set1_pd(limit)));
    }
    [[gnu::always_inline]] static inline half f64_to_s32(reg x) { return _mm256_cvtpd_epi32(f64(x)); }
    [[gnu::always_inline]] static inline reg s32_to_f64(half x) { return whole(_mm256_cvtepi32_pd(x)); }
    [[gnu::always_inline]] static inline half f64_to_f32(reg x) { return _mm_castps_si128(_mm256_cvtpd_ps(f64(x))); }
    [[gnu::always_inline]] static inline reg f32_to_f64(half x) { return whole(_mm256_cvtps_pd(_mm_castsi128_ps(x))); }
    /// Returns the low halves of 64-bit lanes.
    [[gnu::always_inline]] static inline half low_words(__m256d x) {
        const __m256 lanes32 = _mm256_castpd_ps(x);
        return _mm_castps_si128(
            _mm_shuffle_ps(_mm256_castps256_ps128(lanes32), _mm256_extractf128_ps(lanes32, 1), 0x88));
    }
    /// Truncates f64 to f32, and sets the last bit if the result is inexact.
    [[gnu::always_inline]] static inline half f64_to_odd_f32(reg x) {
        const half nearest = f64_to_f32(x);
        const __m256d back = f64(f32_to_f64(nearest)), sign = _mm256_set1_pd(-0.0);
        const __m256d above = _mm256_cmp_pd(_mm256_andnot_pd(sign, back), _mm256_andnot_pd(sign, f64(x)), _CMP_GT_OQ);
        const half inexact = low_words(_mm256_cmp_pd(back, f64(x), _CMP_NEQ_UQ));
        const half cut = _mm_add_epi32(nearest, low_words(above));  // all bits of a lane are -1
        return _mm_or_si128(cut, _mm_srli_epi32(inexact, 31));
    }

    // Arithmetic that rounds each result. The asm has no instruction; it hides the product, so that the compiler cannot
    // fuse it into an FMA.
    [[gnu::always_inline]] static inline reg add(reg a, reg b, float) { return whole(_mm256_add_ps(f32(a), f32(b))); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b, double) { return whole(_mm256_add_pd(f64(a), f64(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, float) {
        return whole(_mm256_sub_ps(f32(a), f32(b)));
    }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, double) {
        return whole(_mm256_sub_pd(f64(a), f64(b)));
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, float) {
        __m256 product = _mm256_mul_ps(f32(a), f32(b));
        asm("" : "+x"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, double) {
        __m256d product = _mm256_mul_pd(f64(a), f64(b));
        asm("" : "+x"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg all(float x) { return whole(_mm256_set1_ps(x)); }
    [[gnu::always_inline]] static inline reg all(double x) { return whole(_mm256_set1_pd(x)); }
};
