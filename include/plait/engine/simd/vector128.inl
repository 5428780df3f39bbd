// Registers of up to 128 bits; fewer bytes are the low bytes of a register. `masks` of the including file loads and
// stores some lanes.
// Included by sse41.hpp and vector256.inl, in the namespace of each instruction set.
// Requires `masks` before it.

#include <plait/engine/simd/past_cache.inl>

template <int Bytes>
struct vector;

#include <plait/engine/simd/lane_selection.inl>

template <int Bytes>
    requires(Bytes <= 16)
struct vector<Bytes> {
    using reg = __m128i;

    [[gnu::always_inline]] static inline reg load(const std::byte* from) {
        if constexpr (Bytes == 16) return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        else if constexpr (Bytes == 8) return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
        else {
            int value = 0;
            std::memcpy(&value, from, Bytes);
            return _mm_cvtsi32_si128(value);
        }
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) {
        if constexpr (Bytes == 16) _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
        else if constexpr (Bytes == 8) _mm_storel_epi64(reinterpret_cast<__m128i*>(to), value);
        else {
            const int low = _mm_cvtsi128_si32(value);
            std::memcpy(to, &low, Bytes);
        }
    }
    [[gnu::always_inline]] static inline void stream(std::byte* to, reg value) {
        if constexpr (Bytes == 16) store_past_cache(reinterpret_cast<__m128i*>(to), value);
        else store(to, value);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg load(const std::byte* from, std::uint64_t lanes) {
        return masks::template load128<ElementBytes>(from, lanes);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value, std::uint64_t lanes) {
        masks::template store128<ElementBytes>(to, value, lanes);
    }
    /// Returns the register with all lanes zero except those of a mask.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg keep_lanes(reg value, std::uint64_t lanes) {
        constexpr const lane_selection<ElementBytes>& table = selection_of_lanes<ElementBytes>;
        const __m128i bits = _mm_load_si128(reinterpret_cast<const __m128i*>(table.bits)),
                      bytes = _mm_load_si128(reinterpret_cast<const __m128i*>(table.bytes)),
                      spread = _mm_shuffle_epi8(_mm_cvtsi64_si128(static_cast<long long>(lanes)), bytes);
        return _mm_and_si128(value, _mm_cmpeq_epi8(_mm_and_si128(spread, bits), bits));
    }

    /// Joins two registers of half the size; `half` returns the halves of one.
    [[gnu::always_inline]] static inline reg join(__m128i low, __m128i high) {
        if constexpr (Bytes == 16) return _mm_unpacklo_epi64(low, high);
        else if constexpr (Bytes == 8) return _mm_unpacklo_epi32(low, high);
        else return _mm_unpacklo_epi16(low, high);
    }
    template <bool Upper>
    [[gnu::always_inline]] static inline __m128i half(reg value) {
        if constexpr (!Upper) return value;
        else return _mm_srli_si128(value, Bytes / 2);
    }

    /// Picks bytes of a register in each 128-bit part by a table of 16; the byte is zero if the table has 0x80.
    [[gnu::always_inline]] static inline reg pick_bytes(reg value, const std::uint8_t* table) {
        return _mm_shuffle_epi8(value, _mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    }
    /// Returns a table of 16 bytes as a register, in each 128-bit part, for the two functions below.
    [[gnu::always_inline]] static inline reg spread(const std::uint8_t* table) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
    }
    [[gnu::always_inline]] static inline reg pick_bytes(reg value, reg from) { return _mm_shuffle_epi8(value, from); }
    /// Selects the bytes of `then` where `selected` is 0xff, and those of `otherwise` where it is 0.
    [[gnu::always_inline]] static inline reg select_bytes(reg selected, reg then, reg otherwise) {
        return _mm_blendv_epi8(otherwise, then, selected);
    }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return _mm_or_si128(a, b); }
    /// Returns the sum of each eight bytes, as numbers of 64 bits.
    [[gnu::always_inline]] static inline reg sum_eights(reg value) { return _mm_sad_epu8(value, _mm_setzero_si128()); }
    /// Shifts each byte to the left or to the right; the other number is 0. Bits that enter a byte are unspecified.
    [[gnu::always_inline]] static inline reg shift(reg value, int left, int right) {
        return _mm_srl_epi16(_mm_sll_epi16(value, _mm_cvtsi32_si128(left)), _mm_cvtsi32_si128(right));
    }
    /// Returns out ^ (value & mask).
    [[gnu::always_inline]] static inline reg add_masked(reg out, reg value, reg mask) {
        return _mm_xor_si128(out, _mm_and_si128(value, mask));
    }

    /// Unpacks pieces of 2^first elements: the register bit enters at that lane bit, and the highest lane bit leaves.
    template <shuffle_rule Rule, int ElementBytes>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        constexpr int unit_bytes = ElementBytes << Rule.first;
        const reg a = low, b = high;
        if constexpr (unit_bytes == 1) low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
        else if constexpr (unit_bytes == 2) low = _mm_unpacklo_epi16(a, b), high = _mm_unpackhi_epi16(a, b);
        else if constexpr (unit_bytes == 4) low = _mm_unpacklo_epi32(a, b), high = _mm_unpackhi_epi32(a, b);
        else low = _mm_unpacklo_epi64(a, b), high = _mm_unpackhi_epi64(a, b);
    }
};
