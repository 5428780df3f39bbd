#pragma once
// AVX-512 (F, BW, VL): 512-bit registers, masks for every size of element.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/scalar.hpp>

#if defined(__x86_64__)
#include <immintrin.h>

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

#include <plait/engine/simd/past_cache.inl>
#include <plait/engine/simd/vector128.inl>
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

#include <plait/engine/simd/convert512.inl>
#include <plait/engine/simd/convert_lanes.inl>
#include <plait/engine/simd/element_access.inl>
#include <plait/engine/simd/lane_shuffles512.inl>
#include <plait/engine/simd/nibble_lookup512.inl>

#include <plait/engine/simd/kernel.inl>

#include <plait/engine/simd/pattern_kernels.inl>

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>(make_table_kernels<Widest / 4>());

#include <plait/engine/simd/row_conversions.inl>

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
