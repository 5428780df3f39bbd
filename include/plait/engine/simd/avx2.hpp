#pragma once
// AVX2 and F16C: 256-bit registers, masked loads of 4- and 8-byte elements.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/intrinsics.hpp>
#include <plait/engine/simd/scalar.hpp>
#include <plait/engine/simd/sse41.hpp>

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::avx2 {

inline constexpr isa this_isa = isa::avx2;

[[gnu::always_inline]] inline void finish_streams() { _mm_sfence(); }

/// Loads and stores the first bytes of a register by two accesses that overlap: 13 bytes are bytes 0 to 7 and 5 to 12.
/// A copy through memory is avoided: a register would be loaded from what two stores wrote, and wait until both are in
/// the cache. That took as long as twenty tiles of whole registers.
struct first_bytes {
    /// Returns x with each byte taken from `down` places further up, or zero if there is none; `down` is in [-16, 16].
    [[gnu::always_inline]] static inline __m128i moved(__m128i x, std::ptrdiff_t down) {
        return _mm_shuffle_epi8(x, _mm_loadu_si128(reinterpret_cast<const __m128i*>(byte_numbers + 16 + down)));
    }
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::ptrdiff_t bytes) {
        if (bytes >= 16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        if (bytes >= 8)
            return _mm_or_si128(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)),
                                moved(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + bytes - 8)), 8 - bytes));
        if (bytes >= 4) return _mm_or_si128(load_few<4>(from), moved(load_few<4>(from + bytes - 4), 4 - bytes));
        if (bytes >= 2) return _mm_or_si128(load_few<2>(from), moved(load_few<2>(from + bytes - 2), 2 - bytes));
        return bytes == 1 ? load_few<1>(from) : _mm_setzero_si128();
    }
    [[gnu::always_inline]] static inline __m256i load256(const std::byte* from, std::ptrdiff_t bytes) {
        const __m256i low = _mm256_zextsi128_si256(load128(from, bytes));
        return bytes <= 16 ? low : _mm256_inserti128_si256(low, moved(load128(from + bytes - 16, 16), 32 - bytes), 1);
    }
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::ptrdiff_t bytes) {
        if (bytes >= 16) _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
        else if (bytes >= 8) {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to), value);
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to + bytes - 8), moved(value, bytes - 8));
        } else if (bytes >= 4) {
            store_few<4>(to, value);
            store_few<4>(to + bytes - 4, moved(value, bytes - 4));
        } else if (bytes >= 2) {
            store_few<2>(to, value);
            store_few<2>(to + bytes - 2, moved(value, bytes - 2));
        } else if (bytes == 1) store_few<1>(to, value);
    }
    [[gnu::always_inline]] static inline void store256(std::byte* to, __m256i value, std::ptrdiff_t bytes) {
        const __m128i low = _mm256_castsi256_si128(value);
        store128(to, low, bytes);
        if (bytes > 16)
            store128(to + bytes - 16,
                     _mm_or_si128(moved(low, bytes - 16), moved(_mm256_extracti128_si256(value, 1), bytes - 32)), 16);
    }

private:
    static constexpr std::uint8_t none = 0x80;
    static constexpr std::uint8_t byte_numbers[48] = {
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
        none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none};
    template <std::size_t Bytes>
    [[gnu::always_inline]] static inline __m128i load_few(const std::byte* from) {
        int value = 0;
        std::memcpy(&value, from, Bytes);
        return _mm_cvtsi32_si128(value);
    }
    template <std::size_t Bytes>
    [[gnu::always_inline]] static inline void store_few(std::byte* to, __m128i value) {
        const int low = _mm_cvtsi128_si32(value);
        std::memcpy(to, &low, Bytes);
    }
};

struct masks {
    /// Returns a register in which each lane of the mask has all bits set.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m256i wide(std::uint64_t lanes) {
        if constexpr (ElementBytes == 4) {
            const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(lanes)), bits), bits);
        } else {
            const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
            return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(lanes)), bits), bits);
        }
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m256i load256(const std::byte* from, std::uint64_t lanes) {
        if constexpr (ElementBytes == 4)
            return _mm256_maskload_epi32(reinterpret_cast<const int*>(from), wide<4>(lanes));
        if constexpr (ElementBytes == 8)
            return _mm256_maskload_epi64(reinterpret_cast<const long long*>(from), wide<8>(lanes));
        if (__builtin_constant_p(lanes) && are_first_lanes(lanes))
            return first_bytes::load256(from, bytes_of_first<ElementBytes>(lanes));
        return load_apart<ElementBytes>(from, lanes);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store256(std::byte* to, __m256i value, std::uint64_t lanes) {
        // Masked stores of 4 and 8 bytes are avoided: AMD CPUs split one into twenty instructions.
        if (__builtin_constant_p(lanes) && are_first_lanes(lanes))
            first_bytes::store256(to, value, bytes_of_first<ElementBytes>(lanes));
        else store_apart<ElementBytes>(to, value, lanes);
    }
    // Masks for half of a 256-bit register: the mask of its lanes covers both.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline __m128i load128(const std::byte* from, std::uint64_t lanes) {
        constexpr std::uint64_t half = (1u << (16 / ElementBytes)) - 1;
        const __m256i wide_register = load256<ElementBytes>(from, lanes & half);  // see load_apart
        return _mm256_castsi256_si128(wide_register);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store128(std::byte* to, __m128i value, std::uint64_t lanes) {
        constexpr std::uint64_t half = (1u << (16 / ElementBytes)) - 1;
        store256<ElementBytes>(to, _mm256_castsi128_si256(value), lanes & half);
    }

private:
    template <int ElementBytes>
    [[gnu::always_inline]] static inline std::ptrdiff_t bytes_of_first(std::uint64_t lanes) {
        return std::ptrdiff_t{std::countr_one(lanes)} * ElementBytes;
    }
    /// The lanes of a mask in both halves of a register.
    ///
    /// Example: 24 channels in blocks of 16 bytes: of the second block, the first 8 lanes of each half
    template <int ElementBytes>
    struct halves {
        std::uint64_t low, high;
        [[gnu::always_inline]] explicit halves(std::uint64_t lanes)
            : low(lanes & ((1u << (16 / ElementBytes)) - 1)), high(lanes >> (16 / ElementBytes)) {}
        [[gnu::always_inline]] bool are_first() const { return are_first_lanes(low) && are_first_lanes(high); }
    };
    // Not inlined if the mask is unknown to the compiler; otherwise a tile at an end would contain dozens of copies,
    // and keep its registers in memory.
    template <int ElementBytes>
    [[gnu::noinline]] static __m256i load_apart(const std::byte* from, std::uint64_t lanes) {
        if (are_first_lanes(lanes)) return first_bytes::load256(from, bytes_of_first<ElementBytes>(lanes));
        if (const halves<ElementBytes> of(lanes); of.are_first()) {
            // Of a known type: Clang 19 finds an intrinsic from units that import the module if the call is not
            // dependent.
            const __m128i low = first_bytes::load128(from, bytes_of_first<ElementBytes>(of.low));
            return _mm256_inserti128_si256(_mm256_castsi128_si256(low),
                                           first_bytes::load128(from + 16, bytes_of_first<ElementBytes>(of.high)), 1);
        }
        lanes_in_memory<ElementBytes, 32> memory;
        memory.load(from, lanes);
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(memory.all));
    }
    template <int ElementBytes>
    [[gnu::noinline]] static void store_apart(std::byte* to, __m256i value, std::uint64_t lanes) {
        if (are_first_lanes(lanes)) return first_bytes::store256(to, value, bytes_of_first<ElementBytes>(lanes));
        if (const halves<ElementBytes> of(lanes); of.are_first()) {
            first_bytes::store128(to, _mm256_castsi256_si128(value), bytes_of_first<ElementBytes>(of.low));
            first_bytes::store128(to + 16, _mm256_extracti128_si256(value, 1), bytes_of_first<ElementBytes>(of.high));
            return;
        }
        lanes_in_memory<ElementBytes, 32> memory;
        _mm256_store_si256(reinterpret_cast<__m256i*>(memory.all), value);
        memory.store(to, lanes);
    }
};

#include <plait/engine/simd/vector256.inl>

// The `words` of AVX2 with F16C for convert_lanes.inl: whole registers of 8 lanes of 32 bits, or 4 of 64.

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
    static constexpr bool has_lane_masks = false;

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

#include <plait/engine/simd/convert_lanes.inl>
#include <plait/engine/simd/lane_shuffles128.inl>

// The shuffles of a network that is a table, with registers of 256 bits. Lanes are bytes.

template <>
struct lane_shuffles<32> {
    using reg = __m256i;
    static constexpr bool goes_across = true;
    /// The networks that have kernels of their own: of drawn reorders, two in five have one, a quarter the first or
    /// second. Transposes of 4-byte elements, of smaller ones, and of smaller ones into halves of registers; 8 bytes
    /// exchanged; halves of registers exchanged, with 4-byte lanes in another order; and what is left of these if a
    /// tile is small, or a side is blocked.
    static constexpr frequent_network frequent_networks[] = {
        {3, {.exchanged = {-1, turn_of_lanes, turn_of_lanes, -1}, .src_segments = 1}},
        {3, {.exchanged = {turn_of_lanes, 3, orders_before + 3, -1}, .src_segments = 1}},
        {3,
         {.exchanged = {turn_of_lanes, 3, orders_before + turn_of_lanes, -1},
          .src_segments = 1,
          .dst_segments = 1,
          .goes_across = true}},
        {3, {.exchanged = {-1, -1, 3, -1}, .src_segments = 1}},
        {3, {.exchanged = {-1, -1, 4, -1}, .goes_across = true, .goes_after = true}},
        {3, {.exchanged = {0, 2, 3, -1}, .dst_segments = 1}},
        {3, {.exchanged = {4, turn_of_lanes, turn_of_lanes, -1}}},
        {3, {.exchanged = {-1, 3, 4, -1}, .goes_across = true, .goes_after = true}},
        {3, {.exchanged = {-1, 3, 4, -1}, .goes_across = true}},
        {3, {.exchanged = {-1, 2, orders_before + turn_of_lanes, -1}, .src_segments = 2}},
        {3, {.src_segments = 1}},
        {2, {.exchanged = {-1, 4, -1, -1}, .goes_across = true, .goes_after = true}},
        {2, {.exchanged = {-1, 4, -1, -1}, .goes_across = true}},
        {2, {.exchanged = {-1, 2, -1, -1}, .src_segments = 2}},
        {2, {.exchanged = {-1, 2, -1, -1}, .goes_across = true}},
        {2, {.exchanged = {-1, orders_before + 3, -1, -1}, .src_segments = 1}},
        {2, {.src_segments = 1}},
    };

    /// The bytes of a mask, held while tiles run. AVX2 has no masked load or store of bytes: registers are loaded
    /// whole, and stored in pieces.
    using held_lanes = reg;
    static constexpr bool masks_bytes = false;
    [[gnu::always_inline]] static inline held_lanes hold(std::uint64_t lanes) {
        return vector<32>::mask_of_lanes<1>(lanes);
    }
    [[gnu::always_inline]] static inline reg load(const std::byte* from, held_lanes lanes) {
        return _mm256_and_si256(vector<32>::load(from), lanes);
    }

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
        } else if constexpr (Lane == turn_of_lanes) {
            low = _mm256_unpacklo_epi32(a, b);
            high = _mm256_unpackhi_epi32(a, b);
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

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables. Registers of 16 bytes use the kernels of SSE4.1.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>(sse41::every_table_kernel<Widest / 2>);

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::avx2

template <>
struct plait::engine::simd::code_of<plait::isa::avx2> : plait::engine::simd::avx2::code {};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif
