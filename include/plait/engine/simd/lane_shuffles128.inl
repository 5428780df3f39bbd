// The shuffles of a network that is a table, with registers of 128 bits. Lanes are bytes.
// Included by sse41.hpp and avx2.hpp, in their namespaces.
// Requires vector128.inl before it.

/// One vector of a network, as a register.
template <int Bytes>
[[gnu::always_inline]] inline bits<Bytes> load_vector(const lane_vector& from) {
    return vector<Bytes>::load(reinterpret_cast<const std::byte*>(from.words));
}

template <int Bytes>
struct lane_shuffles;

template <>
struct lane_shuffles<16> {
    using reg = __m128i;
    static constexpr bool goes_across = false;

    /// Exchanges a register bit with lane bit 0 or 1. `ones` is set where the lane bit is 1; `shift` is the width of
    /// the exchanged lanes.
    [[gnu::always_inline]] static inline void exchange_within(reg& low, reg& high, reg ones, reg shift) {
        const reg a = low, b = high, count = _mm_cvtsi32_si128(_mm_cvtsi128_si32(shift));
        low = _mm_blendv_epi8(a, _mm_sll_epi32(b, count), ones);
        high = _mm_blendv_epi8(_mm_srl_epi32(a, count), b, ones);
    }
    /// Exchanges the high halves of the bytes of the first register with the low halves of the second.
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg& low, reg& high) {
        const reg differ = _mm_and_si128(_mm_xor_si128(_mm_srli_epi32(low, 4), high), _mm_set1_epi8(15));
        low = _mm_xor_si128(low, _mm_slli_epi32(differ, 4));
        high = _mm_xor_si128(high, differ);
    }
    /// Exchanges a register bit with lane bit Lane, 2 or 3, or turns lanes.
    template <int Lane>
    [[gnu::always_inline]] static inline void exchange(reg& low, reg& high, reg, reg) {
        const reg a = low, b = high;
        if constexpr (Lane == 2) {
            low = _mm_blend_epi16(a, _mm_slli_epi64(b, 32), 0xcc);
            high = _mm_blend_epi16(_mm_srli_epi64(a, 32), b, 0xcc);
        } else if constexpr (Lane == turn_of_lanes) {
            low = _mm_unpacklo_epi32(a, b);
            high = _mm_unpackhi_epi32(a, b);
        } else {
            low = _mm_unpacklo_epi64(a, b);
            high = _mm_unpackhi_epi64(a, b);
        }
    }
    [[gnu::always_inline]] static inline reg order_within(reg value, reg from) { return _mm_shuffle_epi8(value, from); }
    [[gnu::always_inline]] static inline reg order_across(reg value, reg) { return value; }
};

inline constexpr bool exchanges_by_table = false, orders_between = true;
