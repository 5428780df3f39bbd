// The `words` of NEON for convert_lanes.inl: registers of 4 lanes of 32 bits, or 2 of 64. Every aarch64 CPU converts
// f16.
// Included by neon.hpp, in its namespace.
// Requires nothing before it.

/// The register that holds `Bytes` bytes; fewer than 16 bytes are the low bytes of 128 bits.
///
/// Defined through a struct, because Clang 14 crashes when it mangles a function name with a plain alias.
template <int>
struct register_of_bytes {
    using type = uint8x16_t;
};
template <int Bytes>
using bits = typename register_of_bytes<Bytes>::type;

struct words {
    using reg = uint8x16_t;
    using half = uint8x16_t;
    static constexpr int lanes = 4;
    static constexpr bool converts_f16 = true;

    template <int>
    [[gnu::always_inline]] static inline reg fit(reg x) {
        return x;
    }

    // Reinterprets one register as lanes of a type, and back; 64 bits become the low ones.
    [[gnu::always_inline]] static inline float32x4_t f32(reg x) { return vreinterpretq_f32_u8(x); }
    [[gnu::always_inline]] static inline float64x2_t f64(reg x) { return vreinterpretq_f64_u8(x); }
    [[gnu::always_inline]] static inline int32x4_t s32(reg x) { return vreinterpretq_s32_u8(x); }
    [[gnu::always_inline]] static inline uint32x4_t u32(reg x) { return vreinterpretq_u32_u8(x); }
    [[gnu::always_inline]] static inline reg whole(float32x4_t x) { return vreinterpretq_u8_f32(x); }
    [[gnu::always_inline]] static inline reg whole(float64x2_t x) { return vreinterpretq_u8_f64(x); }
    [[gnu::always_inline]] static inline reg whole(int32x4_t x) { return vreinterpretq_u8_s32(x); }
    [[gnu::always_inline]] static inline reg whole(uint32x4_t x) { return vreinterpretq_u8_u32(x); }
    [[gnu::always_inline]] static inline reg whole(uint8x8_t x) { return vcombine_u8(x, x); }
    [[gnu::always_inline]] static inline reg select(uint32x4_t lanes_of_then, reg then, reg otherwise) {
        return vbslq_u8(whole(lanes_of_then), then, otherwise);
    }

    // Lanes of 32 bits.
    [[gnu::always_inline]] static inline reg all(std::uint32_t x) { return whole(vdupq_n_u32(x)); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b) { return whole(vaddq_s32(s32(a), s32(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b) { return whole(vsubq_s32(s32(a), s32(b))); }
    [[gnu::always_inline]] static inline reg bit_and(reg a, reg b) { return vandq_u8(a, b); }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return vorrq_u8(a, b); }
    [[gnu::always_inline]] static inline reg minimum(reg a, reg b) { return whole(vminq_s32(s32(a), s32(b))); }
    [[gnu::always_inline]] static inline reg maximum(reg a, reg b) { return whole(vmaxq_s32(s32(a), s32(b))); }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_left(reg x) {
        return whole(vshlq_n_s32(s32(x), Count));
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right(reg x) {
        return whole(vshrq_n_u32(u32(x), Count));
    }
    template <int Count>
    [[gnu::always_inline]] static inline reg shift_right_signed(reg x) {
        return whole(vshrq_n_s32(s32(x), Count));
    }
    [[gnu::always_inline]] static inline reg select_greater(reg a, reg b, reg then, reg otherwise) {
        return select(vcgtq_s32(s32(a), s32(b)), then, otherwise);
    }
    [[gnu::always_inline]] static inline reg select_nan(reg x, reg then, reg otherwise) {
        return select(vceqq_f32(f32(x), f32(x)), otherwise, then);
    }

    // Lanes of 8 and 16 bits, converted to 32 bits and back.
    template <int Bytes>
    [[gnu::always_inline]] static inline reg widen_unsigned(reg x) {
        if constexpr (Bytes == 1) return whole(vmovl_u16(vget_low_u16(vmovl_u8(vget_low_u8(x)))));
        else return whole(vmovl_u16(vreinterpret_u16_u8(vget_low_u8(x))));
    }
    [[gnu::always_inline]] static inline reg widen_signed(reg x) {
        return whole(vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(vget_low_u8(x))))));
    }
    template <int Bytes>
    [[gnu::always_inline]] static inline reg narrow(reg x) {
        const uint16x4_t packed = vmovn_u32(u32(x));
        if constexpr (Bytes == 1) return whole(vmovn_u16(vcombine_u16(packed, packed)));
        else return whole(vreinterpret_u8_u16(packed));
    }
    [[gnu::always_inline]] static inline reg saturate_s8(reg x) {
        const int16x4_t packed = vqmovn_s32(s32(x));
        return whole(vreinterpret_u8_s8(vqmovn_s16(vcombine_s16(packed, packed))));
    }
    [[gnu::always_inline]] static inline reg saturate_u8(reg x) {
        const int16x4_t packed = vqmovn_s32(s32(x));
        return whole(vqmovun_s16(vcombine_s16(packed, packed)));
    }
    [[gnu::always_inline]] static inline reg s8_to_u8(reg x) {
        return vreinterpretq_u8_s8(vmaxq_s8(vreinterpretq_s8_u8(x), vdupq_n_s8(0)));
    }
    [[gnu::always_inline]] static inline reg u8_to_s8(reg x) { return vminq_u8(x, vdupq_n_u8(127)); }

    // Lanes of f32. Returns the smaller of x and a limit. For NaN, returns NaN or the limit.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, float limit) {
        return whole(vminq_f32(f32(x), vdupq_n_f32(limit)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, float limit) {
        const float32x4_t limits = vdupq_n_f32(limit);
        return select(vcltq_f32(f32(x), limits), x, whole(limits));
    }
    /// Rounds to nearest even. The instruction converts NaN to 0, but convert requires the result of x86.
    [[gnu::always_inline]] static inline reg f32_to_s32(reg x) {
        return select_nan(x, all(1u << 31), whole(vcvtnq_s32_f32(f32(x))));
    }
    [[gnu::always_inline]] static inline reg s32_to_f32(reg x) { return whole(vcvtq_f32_s32(s32(x))); }
    [[gnu::always_inline]] static inline reg f16_to_f32(reg x) {
        return whole(vcvt_f32_f16(vreinterpret_f16_u8(vget_low_u8(x))));
    }
    [[gnu::always_inline]] static inline reg f32_to_f16(reg x) {
        return whole(vreinterpret_u8_f16(vcvt_f16_f32(f32(x))));
    }
    /// Returns the bytes as the high bytes of 16-bit lanes; signed_bytes_by_7 sign-extends them and shifts them by 7.
    [[gnu::always_inline]] static inline reg high_bytes(reg x) { return vzip1q_u8(vdupq_n_u8(0), x); }
    [[gnu::always_inline]] static inline reg signed_bytes_by_7(reg x) {
        return vreinterpretq_u8_s16(vshll_n_s8(vreinterpret_s8_u8(vget_low_u8(x)), 7));
    }
    [[gnu::always_inline]] static inline reg and_16(reg x, short mask) {
        return vandq_u8(x, vreinterpretq_u8_s16(vdupq_n_s16(mask)));
    }

    // Lanes of f64. The corresponding 32-bit lanes fill the low half of a register.
    [[gnu::always_inline]] static inline reg at_most_or_nan(reg x, double limit) {
        return whole(vminq_f64(f64(x), vdupq_n_f64(limit)));
    }
    [[gnu::always_inline]] static inline reg at_most(reg x, double limit) {
        const float64x2_t limits = vdupq_n_f64(limit);
        return vbslq_u8(vreinterpretq_u8_u64(vcltq_f64(f64(x), limits)), x, whole(limits));
    }
    [[gnu::always_inline]] static inline half f64_to_s32(reg x) {
        // NaN becomes INT_MIN here too; INT64_MIN saturates to it.
        const int64x2_t number = vbslq_s64(vceqq_f64(f64(x), f64(x)), vcvtnq_s64_f64(f64(x)), vdupq_n_s64(INT64_MIN));
        return whole(vreinterpret_u8_s32(vqmovn_s64(number)));
    }
    [[gnu::always_inline]] static inline reg s32_to_f64(half x) {
        return whole(vcvtq_f64_s64(vmovl_s32(vget_low_s32(s32(x)))));
    }
    [[gnu::always_inline]] static inline half f64_to_f32(reg x) {
        return whole(vreinterpret_u8_f32(vcvt_f32_f64(f64(x))));
    }
    [[gnu::always_inline]] static inline reg f32_to_f64(half x) { return whole(vcvt_f64_f32(vget_low_f32(f32(x)))); }
    /// Truncates f64 to f32, and sets the last bit if the result is inexact.
    [[gnu::always_inline]] static inline half f64_to_odd_f32(reg x) {
        return whole(vreinterpret_u8_f32(vcvtx_f32_f64(f64(x))));
    }

    // Arithmetic that rounds each result. The asm has no instruction; it hides the product, so that the compiler cannot
    // fuse it into an FMA. GCC fuses by default on aarch64.
    [[gnu::always_inline]] static inline reg add(reg a, reg b, float) { return whole(vaddq_f32(f32(a), f32(b))); }
    [[gnu::always_inline]] static inline reg add(reg a, reg b, double) { return whole(vaddq_f64(f64(a), f64(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, float) { return whole(vsubq_f32(f32(a), f32(b))); }
    [[gnu::always_inline]] static inline reg subtract(reg a, reg b, double) { return whole(vsubq_f64(f64(a), f64(b))); }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, float) {
        float32x4_t product = vmulq_f32(f32(a), f32(b));
        asm("" : "+w"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg multiply(reg a, reg b, double) {
        float64x2_t product = vmulq_f64(f64(a), f64(b));
        asm("" : "+w"(product));
        return whole(product);
    }
    [[gnu::always_inline]] static inline reg all(float x) { return whole(vdupq_n_f32(x)); }
    [[gnu::always_inline]] static inline reg all(double x) { return whole(vdupq_n_f64(x)); }
};
