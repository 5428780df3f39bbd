#pragma once
// AVX-512 (F, BW, VL): 512-bit registers, masks for every size of element.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/intrinsics.hpp>
#include <plait/engine/simd/scalar.hpp>

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

inline constexpr isa this_isa = isa::avx512;

[[gnu::always_inline]] inline void finish_streams() { _mm_sfence(); }

struct masks {
    /// Prevents GCC from fusing an extraction and a masked store into one instruction, vextracti64x4 to memory. That
    /// instruction faults beyond the lanes of the mask, where a masked store must not.
    template <class Register>
    [[gnu::always_inline]] static inline void keep_apart([[maybe_unused]] Register& value) {
#if !defined(__clang__)
        asm("" : "+v"(value));
#endif
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::uint64_t lanes) {
        if constexpr (ElementBytes == 1) return _mm_maskz_loadu_epi8(static_cast<__mmask16>(lanes), from);
        else if constexpr (ElementBytes == 2) return _mm_maskz_loadu_epi16(static_cast<__mmask8>(lanes), from);
        else if constexpr (ElementBytes == 4) return _mm_maskz_loadu_epi32(static_cast<__mmask8>(lanes), from);
        else return _mm_maskz_loadu_epi64(static_cast<__mmask8>(lanes), from);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::uint64_t lanes) {
        keep_apart(value);
        if constexpr (ElementBytes == 1) _mm_mask_storeu_epi8(to, static_cast<__mmask16>(lanes), value);
        else if constexpr (ElementBytes == 2) _mm_mask_storeu_epi16(to, static_cast<__mmask8>(lanes), value);
        else if constexpr (ElementBytes == 4) _mm_mask_storeu_epi32(to, static_cast<__mmask8>(lanes), value);
        else _mm_mask_storeu_epi64(to, static_cast<__mmask8>(lanes), value);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m256i load256(const std::byte* from, std::uint64_t lanes) {
        if constexpr (ElementBytes == 1) return _mm256_maskz_loadu_epi8(static_cast<__mmask32>(lanes), from);
        else if constexpr (ElementBytes == 2) return _mm256_maskz_loadu_epi16(static_cast<__mmask16>(lanes), from);
        else if constexpr (ElementBytes == 4) return _mm256_maskz_loadu_epi32(static_cast<__mmask8>(lanes), from);
        else return _mm256_maskz_loadu_epi64(static_cast<__mmask8>(lanes), from);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store256(std::byte* to, __m256i value, std::uint64_t lanes) {
        keep_apart(value);
        if constexpr (ElementBytes == 1) _mm256_mask_storeu_epi8(to, static_cast<__mmask32>(lanes), value);
        else if constexpr (ElementBytes == 2) _mm256_mask_storeu_epi16(to, static_cast<__mmask16>(lanes), value);
        else if constexpr (ElementBytes == 4) _mm256_mask_storeu_epi32(to, static_cast<__mmask8>(lanes), value);
        else _mm256_mask_storeu_epi64(to, static_cast<__mmask8>(lanes), value);
    }
};

#include <plait/engine/simd/vector256.inl>

template <>
struct vector<64> {
    using reg = __m512i;

    [[gnu::always_inline]] static inline reg load(const std::byte* from) { return _mm512_loadu_si512(from); }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) { _mm512_storeu_si512(to, value); }
    [[gnu::always_inline]] static inline void stream(std::byte* to, reg value) {
        store_past_cache(reinterpret_cast<__m512i*>(to), value);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg load(const std::byte* from, std::uint64_t lanes) {
        if constexpr (ElementBytes == 1) return _mm512_maskz_loadu_epi8(lanes, from);
        else if constexpr (ElementBytes == 2) return _mm512_maskz_loadu_epi16(static_cast<__mmask32>(lanes), from);
        else if constexpr (ElementBytes == 4) return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes), from);
        else return _mm512_maskz_loadu_epi64(static_cast<__mmask8>(lanes), from);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value, std::uint64_t lanes) {
        if constexpr (ElementBytes == 1) _mm512_mask_storeu_epi8(to, lanes, value);
        else if constexpr (ElementBytes == 2) _mm512_mask_storeu_epi16(to, static_cast<__mmask32>(lanes), value);
        else if constexpr (ElementBytes == 4) _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(lanes), value);
        else _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(lanes), value);
    }

    // Here and below, intrinsics are used in their masked forms, with all lanes set. GCC 12 implements the plain forms
    // with an undefined operand, and warns of it in the user's code. Both compile to the same instruction.
    [[gnu::always_inline]] static inline reg join(__m256i low, __m256i high) {
        return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(low), high, 1);
    }
    /// Loads four parts of 16 bytes, or two of 32, from any addresses. Each load except the first is merged into the
    /// others.
    [[gnu::always_inline]] static inline reg load_segments(const std::byte* first, const std::byte* second) {
        return _mm512_mask_broadcast_i64x4(_mm512_castsi256_si512(vector<32>::load(first)), 0xf0,
                                           vector<32>::load(second));
    }
    [[gnu::always_inline]] static inline reg load_segments(const std::byte* first, const std::byte* second,
                                                           const std::byte* third, const std::byte* fourth) {
        reg all = _mm512_castsi128_si512(vector<16>::load(first));
        all = _mm512_mask_broadcast_i32x4(all, 0x00f0, vector<16>::load(second));
        all = _mm512_mask_broadcast_i32x4(all, 0x0f00, vector<16>::load(third));
        return _mm512_mask_broadcast_i32x4(all, 0xf000, vector<16>::load(fourth));
    }
    template <bool Upper>
    [[gnu::always_inline]] static inline __m256i half(reg value) {
        if constexpr (!Upper) return __builtin_shufflevector(value, value, 0, 1, 2, 3);  // the cast would warn too
        else return _mm512_maskz_extracti64x4_epi64(0xf, value, 1);
    }

    [[gnu::always_inline]] static inline reg pick_bytes(reg value, const std::uint8_t* table) {
        return _mm512_shuffle_epi8(
            value, _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(table))));
    }
    [[gnu::always_inline]] static inline reg spread(const std::uint8_t* table) {
        return _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    }
    [[gnu::always_inline]] static inline reg pick_bytes(reg value, reg from) {
        return _mm512_maskz_shuffle_epi8(~__mmask64{0}, value, from);
    }
    [[gnu::always_inline]] static inline reg select_bytes(reg selected, reg then, reg otherwise) {
        return _mm512_maskz_ternarylogic_epi32(0xffff, selected, then, otherwise, 0xca);
    }
    /// Selects 128-bit part number `Part` of `then`, and the other parts of `otherwise`.
    template <int Part>
    [[gnu::always_inline]] static inline reg select_part(reg then, reg otherwise) {
        return _mm512_mask_mov_epi64(otherwise, static_cast<__mmask8>(3 << (2 * Part)), then);
    }
    /// Returns the four 128-bit parts of a register in another order.
    template <int First, int Second, int Third, int Fourth>
    [[gnu::always_inline]] static inline reg order_parts(reg value) {
        return _mm512_maskz_shuffle_i64x2(0xff, value, value, First | Second << 2 | Third << 4 | Fourth << 6);
    }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return _mm512_or_si512(a, b); }
    [[gnu::always_inline]] static inline reg sum_eights(reg value) {
        return _mm512_sad_epu8(value, _mm512_setzero_si512());
    }
    [[gnu::always_inline]] static inline reg shift(reg value, int left, int right) {
        const reg up = _mm512_maskz_sll_epi16(~__mmask32{0}, value, _mm_cvtsi32_si128(left));
        return _mm512_maskz_srl_epi16(~__mmask32{0}, up, _mm_cvtsi32_si128(right));
    }
    [[gnu::always_inline]] static inline reg add_masked(reg out, reg value, reg mask) {
        return _mm512_maskz_ternarylogic_epi32(0xffff, out, value, mask, 0x78);
    }

    template <shuffle_rule Rule, int ElementBytes>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        constexpr int unit_bytes = ElementBytes << Rule.first;
        const reg a = low, b = high;
        if constexpr (unit_bytes >= 16) {
            // Four parts of 128 bits, two from each register: 0, 2 and 1, 3, or 0, 1 and 2, 3.
            constexpr bool across = Rule.first != Rule.last;
            low = _mm512_maskz_shuffle_i64x2(0xff, a, b, across ? 0x88 : 0x44);
            high = _mm512_maskz_shuffle_i64x2(0xff, a, b, across ? 0xdd : 0xee);
        } else if constexpr (unit_bytes == 1) {
            low = _mm512_maskz_unpacklo_epi8(~__mmask64{0}, a, b),
            high = _mm512_maskz_unpackhi_epi8(~__mmask64{0}, a, b);
        } else if constexpr (unit_bytes == 2) {
            low = _mm512_maskz_unpacklo_epi16(~__mmask32{0}, a, b),
            high = _mm512_maskz_unpackhi_epi16(~__mmask32{0}, a, b);
        } else if constexpr (unit_bytes == 4) {
            low = _mm512_maskz_unpacklo_epi32(0xffff, a, b), high = _mm512_maskz_unpackhi_epi32(0xffff, a, b);
        } else {
            low = _mm512_maskz_unpacklo_epi64(0xff, a, b), high = _mm512_maskz_unpackhi_epi64(0xff, a, b);
        }
    }
};

// The `words` of AVX-512 for convert_lanes.inl: whole registers of 16 lanes of 32 bits, or 8 of 64.

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

/// The places of the odd words of two registers.
struct places_of_odd_words {
    alignas(64) std::uint16_t at[32]{};
    constexpr places_of_odd_words() {
        for (int i = 0; i < 32; ++i) at[i] = static_cast<std::uint16_t>(2 * i + 1);
    }
};
inline constexpr places_of_odd_words odd_words;

struct words {
    using reg = __m512i;
    using half = __m256i;
    static constexpr int lanes = 16;
    static constexpr bool converts_f16 = true;
    static constexpr bool has_lane_masks = true;  ///< so it has rounded_upper_halves, pack_upper_halves, quiet_f16

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
    /// Rounds lanes of f32 to their upper half, to nearest even. Its lower half is unspecified; NaN becomes 0x7fc0.
    [[gnu::always_inline]] static inline reg rounded_upper_halves(reg x) {
        const reg sum =
            _mm512_mask_add_epi32(all(0x7fc00000u), _mm512_cmp_ps_mask(f32(x), f32(x), _CMP_ORD_Q), x, all(0x7fffu));
        return _mm512_mask_add_epi32(sum, _mm512_test_epi32_mask(x, all(0x10000u)), sum, all(1u));
    }
    [[gnu::always_inline]] static inline reg pack_upper_halves(reg a, reg b) {
        return _mm512_permutex2var_epi16(a, _mm512_load_si512(odd_words.at), b);
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
    /// Converts to f16; NaN becomes 0x7e00.
    [[gnu::always_inline]] static inline __m256i quiet_f16(reg x) {
        return _mm512_mask_cvtps_ph(_mm256_set1_epi16(0x7e00), _mm512_cmp_ps_mask(f32(x), f32(x), _CMP_ORD_Q), f32(x),
                                    0);
    }
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

#include <plait/engine/simd/convert_lanes.inl>

// The shuffles of a network that is a table, for AVX-512: exchanges and reordering. Lanes are bytes.

/// One vector of a network, as a register.
template <int Bytes>
[[gnu::always_inline]] inline bits<Bytes> load_vector(const lane_vector& from) {
    return vector<Bytes>::load(reinterpret_cast<const std::byte*>(from.words));
}

/// The bytes of a mask, held while tiles run, in a register of masks.
template <int Bytes>
struct lanes_in_masks {
    using held_lanes = std::uint64_t;
    static constexpr bool masks_bytes = true;
    [[gnu::always_inline]] static inline held_lanes hold(std::uint64_t lanes) { return lanes; }
    [[gnu::always_inline]] static inline bits<Bytes> load(const std::byte* from, held_lanes lanes) {
        return vector<Bytes>::template load<1>(from, lanes);
    }
};

template <int Bytes>
struct lane_shuffles;

template <>
struct lane_shuffles<64> : lanes_in_masks<64> {
    using reg = __m512i;
    static constexpr bool goes_across = true;
    /// The networks of up to 8 registers that have kernels of their own: a sixth of drawn reorders has one. Tiles of 16
    /// registers are no faster with such kernels (Sapphire Rapids). An exchange within 4 bytes is 0, one of 4-byte
    /// lanes 2: see network_steps.
    static constexpr frequent_network frequent_networks[] = {
        {3, {.exchanged = {2, 2, 2, -1}}},
        {3, {.exchanged = {2, 2, 2, -1}, .src_segments = 1}},
        {3, {.exchanged = {2, 2, 2, -1}, .dst_segments = 1}},
        {3, {.exchanged = {2, orders_before + 2, 2, -1}, .dst_segments = 1}},
        {3, {.exchanged = {0, 2, 2, -1}, .src_segments = 2}},
        {3, {.exchanged = {-1, -1, 2, -1}}},
        {3, {.exchanged = {-1, 2, 2, -1}}},
        {3, {.exchanged = {-1, 2, orders_before + 2, -1}}},
        {2, {.exchanged = {-1, 2, -1, -1}}},
        {2, {.exchanged = {-1, orders_before + 2, -1, -1}}},
        {2, {.exchanged = {2, 2, -1, -1}}},
        {2, {.exchanged = {2, orders_before + 2, -1, -1}}},
        {1, {.exchanged = {2, -1, -1, -1}}},
    };

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
struct lane_shuffles<32> : lanes_in_masks<32> {
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
struct lane_shuffles<16> : lanes_in_masks<16> {
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

inline constexpr bool exchanges_by_table = true, orders_between = true;

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>(make_table_kernels<Widest / 4>());

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::avx512

template <>
struct plait::engine::simd::code_of<plait::isa::avx512> : plait::engine::simd::avx512::code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
