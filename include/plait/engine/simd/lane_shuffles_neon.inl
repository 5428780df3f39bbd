// The shuffles of a network that is a table, for NEON, whose trn is an exchange. Lanes are bytes.
// Included by neon.hpp, in its namespace.
// Requires the registers of neon.hpp before it.

/// One vector of a network, as a register.
template <int Bytes>
[[gnu::always_inline]] inline bits<Bytes> load_vector(const lane_vector& from) {
    return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from.words));
}

template <int Bytes>
struct lane_shuffles {
    using reg = bits<Bytes>;
    static constexpr bool goes_across = false;

    /// Exchanges a register bit with lane bit 0 or 1. Byte 1 of `ones` is set for lane bit 0.
    [[gnu::always_inline]] static inline void exchange_within(reg& low, reg& high, reg ones, reg) {
        const reg a = low, b = high;
        if (vgetq_lane_u8(ones, 1) != 0) {
            low = vtrn1q_u8(a, b), high = vtrn2q_u8(a, b);
        } else {
            const uint16x8_t c = vreinterpretq_u16_u8(a), d = vreinterpretq_u16_u8(b);
            low = vreinterpretq_u8_u16(vtrn1q_u16(c, d)), high = vreinterpretq_u8_u16(vtrn2q_u16(c, d));
        }
    }
    /// Exchanges the high halves of the bytes of the first register with the low halves of the second.
    [[gnu::always_inline]] static inline void exchange_half_bytes(reg& low, reg& high) {
        const reg a = low, b = high;
        low = vsliq_n_u8(a, b, 4);
        high = vsriq_n_u8(b, a, 4);
    }
    template <int Lane>
    [[gnu::always_inline]] static inline void exchange(reg& low, reg& high, reg, reg) {
        if constexpr (Lane == 2) {
            const uint32x4_t a = vreinterpretq_u32_u8(low), b = vreinterpretq_u32_u8(high);
            low = vreinterpretq_u8_u32(vtrn1q_u32(a, b)), high = vreinterpretq_u8_u32(vtrn2q_u32(a, b));
        } else {
            const uint64x2_t a = vreinterpretq_u64_u8(low), b = vreinterpretq_u64_u8(high);
            low = vreinterpretq_u8_u64(vtrn1q_u64(a, b)), high = vreinterpretq_u8_u64(vtrn2q_u64(a, b));
        }
    }
    [[gnu::always_inline]] static inline reg order_within(reg value, reg from) { return vqtbl1q_u8(value, from); }
    [[gnu::always_inline]] static inline reg order_across(reg value, reg) { return value; }
};

inline constexpr bool exchanges_by_table = false;
