#pragma once
// SSE4.1: 128-bit registers.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/intrinsics.hpp>
#include <plait/engine/simd/scalar.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("sse4.1")
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::sse41 {

inline constexpr isa this_isa = isa::sse41;

[[gnu::always_inline]] inline void finish_streams() { _mm_sfence(); }

// There are no masked loads: masked lanes go through memory.
struct masks {
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        memory.load(from, lanes);
        return _mm_load_si128(reinterpret_cast<const __m128i*>(memory.all));
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        _mm_store_si128(reinterpret_cast<__m128i*>(memory.all), value);
        memory.store(to, lanes);
    }
};

#include <plait/engine/simd/vector128.inl>

// The `words` of SSE4.1 for convert_lanes.inl: registers of 4 lanes of 32 bits, or 2 of 64. f16 is converted with
// integer instructions.

/// The register that holds `Bytes` bytes; fewer than 16 bytes are the low bytes of 128 bits.
template <int>
using bits = __m128i;

struct words {
    using reg = __m128i;
    using half = __m128i;
    static constexpr int lanes = 4;
    static constexpr bool converts_f16 = false;
    static constexpr bool has_lane_masks = false;

    template <int>
    [[gnu::always_inline]] static inline reg fit(reg x) {
        return x;
    }

    [[gnu::always_inline]] static inline __m128 f32(reg x) { return _mm_castsi128_ps(x); }
    [[gnu::always_inline]] static inline __m128d f64(reg x) { return _mm_castsi128_pd(x); }
    [[gnu::always_inline]] static inline reg whole(__m128 x) { return _mm_castps_si128(x); }
    [[gnu::always_inline]] static inline reg whole(__m128d x) { return _mm_castpd_si128(x); }

    // Lanes of 32 bits.
    [[gnu::always_inline]] static inline reg all(std::uint32_t x) { return _mm_set1_epi32(static_cast<int>(x)); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b) { return _mm_add_epi32(a, b); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b) { return _mm_sub_epi32(a, b); }
    [[gnu::always_inline]] static inline reg bit_and(reg a, reg b) { return _mm_and_si128(a, b); }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return _mm_or_si128(a, b); }
    [[gnu::always_inline]] static inline reg minimum(reg a, reg b) { return _mm_min_epi32(a, b); }
    [[gnu::always_inline]] static inline reg maximum(reg a, reg b) { return _mm_max_epi32(a, b); }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_left(reg x) {
        return _mm_slli_epi32(x, Count);
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right(reg x) {
        return _mm_srli_epi32(x, Count);
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right_signed(reg x) {
        return _mm_srai_epi32(x, Count);
    }
    [[gnu::always_inline]] static inline reg select_greater(reg a, reg b, reg then, reg otherwise) {
        return _mm_blendv_epi8(otherwise, then, _mm_cmpgt_epi32(a, b));
    }
    [[gnu::always_inline]] static inline reg select_nan(reg x, reg then, reg otherwise) {
        return _mm_blendv_epi8(otherwise, then, whole(_mm_cmpunord_ps(f32(x), f32(x))));
    }

    // Lanes of 8 and 16 bits, converted to 32 bits and back.
    template <int Bytes>
    [[gnu::always_inline]] static inline reg widen_unsigned(reg x) {
        if constexpr (Bytes == 1) return _mm_cvtepu8_epi32(x);
        else return _mm_cvtepu16_epi32(x);
    }
    [[gnu::always_inline]] static inline reg widen_signed(reg x) { return _mm_cvtepi8_epi32(x); }
    template <int Bytes>
    [[gnu::always_inline]] static inline reg narrow(reg x) {
        const reg packed = _mm_packus_epi32(x, x);
        if constexpr (Bytes == 1) return _mm_packus_epi16(packed, packed);
        else return packed;
    }
    [[gnu::always_inline]] static inline reg saturate_s8(reg x) {
        const reg packed = _mm_packs_epi32(x, x);
        return _mm_packs_epi16(packed, packed);
    }
    [[gnu::always_inline]] static inline reg saturate_u8(reg x) {
        const reg packed = _mm_packs_epi32(x, x);
        return _mm_packus_epi16(packed, packed);
    }
    [[gnu::always_inline]] static inline reg s8_to_u8(reg x) { return _mm_max_epi8(x, _mm_setzero_si128()); }
    [[gnu::always_inline]] static inline reg u8_to_s8(reg x) { return _mm_min_epu8(x, _mm_set1_epi8(127)); }

    // Lanes of f32. Returns the smaller of x and a limit. For NaN, returns NaN or the limit: the instruction returns
    // its second operand.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, float limit) {
        return whole(_mm_min_ps(_mm_set1_ps(limit), f32(x)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, float limit) {
        return whole(_mm_min_ps(f32(x), _mm_set1_ps(limit)));
    }
    [[gnu::always_inline]] static inline reg f32_to_s32(reg x) { return _mm_cvtps_epi32(f32(x)); }
    [[gnu::always_inline]] static inline reg s32_to_f32(reg x) { return whole(_mm_cvtepi32_ps(x)); }

    // Lanes of f64. The corresponding 32-bit lanes fill the low half of a register.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, double limit) {
        return whole(_mm_min_pd(_mm_set1_pd(limit), f64(x)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, double limit) {
        return whole(_mm_min_pd(f64(x), _mm_set1_pd(limit)));
    }
    [[gnu::always_inline]] static inline half f64_to_s32(reg x) { return _mm_cvtpd_epi32(f64(x)); }
    [[gnu::always_inline]] static inline reg s32_to_f64(half x) { return whole(_mm_cvtepi32_pd(x)); }
    [[gnu::always_inline]] static inline half f64_to_f32(reg x) { return whole(_mm_cvtpd_ps(f64(x))); }
    [[gnu::always_inline]] static inline reg f32_to_f64(half x) { return whole(_mm_cvtps_pd(f32(x))); }
    /// Truncates f64 to f32, and sets the last bit if the result is inexact.
    [[gnu::always_inline]] static inline half f64_to_odd_f32(reg x) {
        const half nearest = f64_to_f32(x);
        const __m128d back = f64(f32_to_f64(nearest)), sign = _mm_set1_pd(-0.0);
        const __m128d above = _mm_cmpgt_pd(_mm_andnot_pd(sign, back), _mm_andnot_pd(sign, f64(x)));
        const half inexact = _mm_shuffle_epi32(whole(_mm_cmpneq_pd(back, f64(x))), 0x88);
        const half cut = add(nearest, _mm_shuffle_epi32(whole(above), 0x88));  // all bits of a lane are -1
        return bit_or(cut, shift_right<31>(inexact));
    }

    // Arithmetic that rounds each result. The asm has no instruction; it hides the product, so that the compiler cannot
    // fuse it into an FMA.
    [[gnu::always_inline]] static inline reg add(reg a, reg b, float) { return whole(_mm_add_ps(f32(a), f32(b))); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b, double) { return whole(_mm_add_pd(f64(a), f64(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, float) { return whole(_mm_sub_ps(f32(a), f32(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, double) {
        return whole(_mm_sub_pd(f64(a), f64(b)));
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, float) {
        __m128 product = _mm_mul_ps(f32(a), f32(b));
        asm("" : "+x"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, double) {
        __m128d product = _mm_mul_pd(f64(a), f64(b));
        asm("" : "+x"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg all(float x) { return whole(_mm_set1_ps(x)); }
    [[gnu::always_inline]] static inline reg all(double x) { return whole(_mm_set1_pd(x)); }
};

#include <plait/engine/simd/convert_lanes.inl>
#include <plait/engine/simd/lane_shuffles128.inl>
#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>();

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::sse41

template <>
struct plait::engine::simd::code_of<plait::isa::sse41> : plait::engine::simd::sse41::code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
