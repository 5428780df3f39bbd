// The `words` of AVX-512 for convert_lanes.inl: whole registers of 16 lanes of 32 bits, or 8 of 64.
// Included by avx512.hpp, in its namespace.
// Requires the registers of avx512.hpp before it.
//
// Intrinsics are used in their masked forms, with all lanes set; avx512.hpp explains why.

template <int Bytes>
struct register_of_bytes {
    using type = __m128i;
};
template <>
struct register_of_bytes<32> {
    using type = __m256i;
};
template <>
struct register_of_bytes<64> {
    using type = __m512i;
};
/// The register that holds `Bytes` bytes; fewer than 16 bytes are the low bytes of 128 bits.
template <int Bytes>
using bits = typename register_of_bytes<Bytes>::type;

struct words {
    using reg = __m512i;
    using half = __m256i;
    static constexpr int lanes = 16;
    static constexpr bool converts_f16 = true;

    /// Returns a register of another size with the same low bytes; the bytes above them are unspecified.
    template <int Bytes>
    [[gnu::always_inline]] static inline bits<Bytes> fit(__m128i x) {
        if constexpr (Bytes == 64) return _mm512_castsi128_si512(x);
        else if constexpr (Bytes == 32) return _mm256_castsi128_si256(x);
        else return x;
    }
    template <int Bytes>
    [[gnu::always_inline]] static inline bits<Bytes> fit(__m256i x) {
        if constexpr (Bytes == 64) return _mm512_castsi256_si512(x);
        else if constexpr (Bytes == 32) return x;
        else return _mm256_castsi256_si128(x);
    }
    template <int Bytes>
    [[gnu::always_inline]] static inline bits<Bytes> fit(__m512i x) {
        if constexpr (Bytes == 64) return x;
        else if constexpr (Bytes == 32) return _mm512_maskz_extracti64x4_epi64(0xff, x, 0);
        else return _mm512_maskz_extracti32x4_epi32(0xff, x, 0);
    }

    [[gnu::always_inline]] static inline __m512 f32(reg x) { return _mm512_castsi512_ps(x); }
    [[gnu::always_inline]] static inline __m512d f64(reg x) { return _mm512_castsi512_pd(x); }
    [[gnu::always_inline]] static inline reg whole(__m512 x) { return _mm512_castps_si512(x); }
    [[gnu::always_inline]] static inline reg whole(__m512d x) { return _mm512_castpd_si512(x); }

    // Lanes of 32 bits.
    [[gnu::always_inline]] static inline reg all(std::uint32_t x) { return _mm512_set1_epi32(static_cast<int>(x)); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b) { return _mm512_add_epi32(a, b); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b) { return _mm512_sub_epi32(a, b); }
    [[gnu::always_inline]] static inline reg bit_and(reg a, reg b) { return _mm512_and_si512(a, b); }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return _mm512_or_si512(a, b); }
    [[gnu::always_inline]] static inline reg minimum(reg a, reg b) { return _mm512_maskz_min_epi32(0xffff, a, b); }
    [[gnu::always_inline]] static inline reg maximum(reg a, reg b) { return _mm512_maskz_max_epi32(0xffff, a, b); }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_left(reg x) {
        return _mm512_maskz_slli_epi32(0xffff, x, Count);
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right(reg x) {
        return _mm512_maskz_srli_epi32(0xffff, x, Count);
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right_signed(reg x) {
        return _mm512_maskz_srai_epi32(0xffff, x, Count);
    }
    [[gnu::always_inline]] static inline reg select_greater(reg a, reg b, reg then, reg otherwise) {
        return _mm512_mask_mov_epi32(otherwise, _mm512_cmpgt_epi32_mask(a, b), then);
    }
    [[gnu::always_inline]] static inline reg select_nan(reg x, reg then, reg otherwise) {
        return _mm512_mask_mov_epi32(otherwise, _mm512_cmp_ps_mask(f32(x), f32(x), _CMP_UNORD_Q), then);
    }

    // Lanes of 8 and 16 bits, converted to 32 bits and back.
    template <int Bytes>
    [[gnu::always_inline]] static inline reg widen_unsigned(bits<lanes * Bytes> x) {
        if constexpr (Bytes == 1) return _mm512_maskz_cvtepu8_epi32(0xffff, x);
        else return _mm512_maskz_cvtepu16_epi32(0xffff, x);
    }
    [[gnu::always_inline]] static inline reg widen_signed(__m128i x) { return _mm512_maskz_cvtepi8_epi32(0xffff, x); }
    template <int Bytes>
    [[gnu::always_inline]] static inline bits<lanes * Bytes> narrow(reg x) {
        if constexpr (Bytes == 1) return _mm512_maskz_cvtepi32_epi8(0xffff, x);
        else return _mm512_maskz_cvtepi32_epi16(0xffff, x);
    }
    // Packs registers of 32-bit lanes to one of 16-bit or 8-bit lanes, with saturation. Pack instructions work within
    // 128 bits, so the parts are then put in order. This takes three instructions for two registers; narrowing each and
    // joining them takes five.
    [[gnu::always_inline]] static inline reg pack_u16(reg a, reg b) {
        return _mm512_maskz_permutexvar_epi64(0xff, _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                              _mm512_maskz_packus_epi32(~__mmask32{0}, a, b));
    }
    template <bool Signed>
    [[gnu::always_inline]] static inline reg pack_8(reg a, reg b, reg c, reg d) {
        const reg low = _mm512_maskz_packs_epi32(~__mmask32{0}, a, b),
                  high = _mm512_maskz_packs_epi32(~__mmask32{0}, c, d);
        const reg packed = Signed ? _mm512_maskz_packs_epi16(~__mmask64{0}, low, high)
                                  : _mm512_maskz_packus_epi16(~__mmask64{0}, low, high);
        return _mm512_maskz_permutexvar_epi32(
            0xffff, _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), packed);
    }
    [[gnu::always_inline]] static inline __m128i saturate_s8(reg x) { return _mm512_maskz_cvtsepi32_epi8(0xffff, x); }
    [[gnu::always_inline]] static inline __m128i saturate_u8(reg x) {
        return _mm512_maskz_cvtusepi32_epi8(0xffff, maximum(x, _mm512_setzero_si512()));
    }
    [[gnu::always_inline]] static inline __m128i s8_to_u8(__m128i x) { return _mm_max_epi8(x, _mm_setzero_si128()); }
    [[gnu::always_inline]] static inline __m128i u8_to_s8(__m128i x) { return _mm_min_epu8(x, _mm_set1_epi8(127)); }

    // Lanes of f32. Returns the smaller of x and a limit. For NaN, returns NaN or the limit: the instruction returns
    // its second operand.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, float limit) {
        return whole(_mm512_maskz_min_ps(0xffff, _mm512_set1_ps(limit), f32(x)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, float limit) {
        return whole(_mm512_maskz_min_ps(0xffff, f32(x), _mm512_set1_ps(limit)));
    }
    [[gnu::always_inline]] static inline reg f32_to_s32(reg x) { return _mm512_maskz_cvtps_epi32(0xffff, f32(x)); }
    [[gnu::always_inline]] static inline reg s32_to_f32(reg x) { return whole(_mm512_maskz_cvtepi32_ps(0xffff, x)); }
    [[gnu::always_inline]] static inline reg f16_to_f32(__m256i x) {
        __m512 wide = _mm512_maskz_cvtph_ps(0xffff, x);
        asm("" : "+v"(wide));  // else Clang 14 checks for NaN in f16, one lane at a time
        return whole(wide);
    }
    [[gnu::always_inline]] static inline __m256i f32_to_f16(reg x) { return _mm512_maskz_cvtps_ph(0xffff, f32(x), 0); }
    /// Returns the bytes as the high bytes of 16-bit lanes; signed_bytes_by_7 sign-extends them and shifts them by 7.
    [[gnu::always_inline]] static inline __m256i high_bytes(__m128i x) {
        return _mm256_slli_epi16(_mm256_cvtepu8_epi16(x), 8);
    }
    [[gnu::always_inline]] static inline __m256i signed_bytes_by_7(__m128i x) {
        return _mm256_slli_epi16(_mm256_cvtepi8_epi16(x), 7);
    }
    [[gnu::always_inline]] static inline __m256i and_16(__m256i x, short mask) {
        return _mm256_and_si256(x, _mm256_set1_epi16(mask));
    }

    // Lanes of f64. The corresponding 32-bit lanes fill half a register.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, double limit) {
        return whole(_mm512_maskz_min_pd(0xff, _mm512_set1_pd(limit), f64(x)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, double limit) {
        return whole(_mm512_maskz_min_pd(0xff, f64(x), _mm512_set1_pd(limit)));
    }
    [[gnu::always_inline]] static inline half f64_to_s32(reg x) { return _mm512_maskz_cvtpd_epi32(0xff, f64(x)); }
    [[gnu::always_inline]] static inline reg s32_to_f64(half x) { return whole(_mm512_maskz_cvtepi32_pd(0xff, x)); }
    [[gnu::always_inline]] static inline half f64_to_f32(reg x) {
        return _mm256_castps_si256(_mm512_maskz_cvtpd_ps(0xff, f64(x)));
    }
    [[gnu::always_inline]] static inline reg f32_to_f64(half x) {
        return whole(_mm512_maskz_cvtps_pd(0xff, _mm256_castsi256_ps(x)));
    }
    /// Truncates f64 to f32, and sets the last bit if the result is inexact.
    [[gnu::always_inline]] static inline half f64_to_odd_f32(reg x) {
        __mmask8 every = 0xff;  // a variable, because GCC 12's macro assigns it to a char, and warns of a constant
        const half cut =
            _mm256_castps_si256(_mm512_maskz_cvt_roundpd_ps(every, f64(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
        const __mmask8 inexact = _mm512_cmp_pd_mask(f64(f32_to_f64(cut)), f64(x), _CMP_NEQ_UQ);
        return _mm256_mask_or_epi32(cut, inexact, cut, _mm256_set1_epi32(1));
    }

    // Arithmetic that rounds each result. The asm has no instruction; it hides the product, so that the compiler cannot
    // fuse it into an FMA.
    [[gnu::always_inline]] static inline reg add(reg a, reg b, float) { return whole(_mm512_add_ps(f32(a), f32(b))); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b, double) { return whole(_mm512_add_pd(f64(a), f64(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, float) {
        return whole(_mm512_sub_ps(f32(a), f32(b)));
    }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, double) {
        return whole(_mm512_sub_pd(f64(a), f64(b)));
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, float) {
        __m512 product = _mm512_mul_ps(f32(a), f32(b));
        asm("" : "+v"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, double) {
        __m512d product = _mm512_mul_pd(f64(a), f64(b));
        asm("" : "+v"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg all(float x) { return whole(_mm512_set1_ps(x)); }
    [[gnu::always_inline]] static inline reg all(double x) { return whole(_mm512_set1_pd(x)); }
};
