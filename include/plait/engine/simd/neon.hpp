#pragma once
// NEON: 128-bit registers. Every aarch64 CPU has it, so no target region is needed.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/scalar.hpp>

#if defined(__aarch64__)
#include <arm_neon.h>

#if !defined(__clang__)
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::neon {

inline constexpr isa this_isa = isa::neon;

// The non-temporal store takes a pair of registers, and is only a hint. Cores detect whole lines being written without
// it.
inline void finish_streams() {}

// The `words` of NEON for convert_lanes.inl: registers of 4 lanes of 32 bits, or 2 of 64. Every aarch64 CPU converts
// f16.

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
    static constexpr bool has_lane_masks = false;

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

#include <plait/engine/simd/convert_lanes.inl>

#include <plait/engine/simd/lane_selection.inl>

template <int Bytes>
struct vector {
    using reg = bits<Bytes>;

    [[gnu::always_inline]] static inline reg load(const std::byte* from) {
        if constexpr (Bytes == 16) return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from));
        else {
            std::uint64_t value = 0;
            std::memcpy(&value, from, Bytes);
            return vreinterpretq_u8_u64(vsetq_lane_u64(value, vdupq_n_u64(0), 0));
        }
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) {
        if constexpr (Bytes == 16) vst1q_u8(reinterpret_cast<std::uint8_t*>(to), value);
        else {
            const std::uint64_t low = vgetq_lane_u64(vreinterpretq_u64_u8(value), 0);
            std::memcpy(to, &low, Bytes);
        }
    }
    [[gnu::always_inline]] static inline void stream(std::byte* to, reg value) { store(to, value); }
    // There are no masked loads: masked lanes go through memory.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg load(const std::byte* from, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        memory.load(from, lanes);
        return vector<16>::load(memory.all);
    }
    template <int ElementBytes>
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        vector<16>::store(memory.all, value);
        memory.store(to, lanes);
    }
    /// Returns the register with all lanes zero except those of a mask.
    template <int ElementBytes>
    [[gnu::always_inline]] static inline reg keep_lanes(reg value, std::uint64_t lanes) {
        constexpr const lane_selection<ElementBytes>& table = selection_of_lanes<ElementBytes>;
        const uint8x16_t spread = vqtbl1q_u8(vreinterpretq_u8_u64(vdupq_n_u64(lanes)), vld1q_u8(table.bytes));
        return vandq_u8(value, vtstq_u8(spread, vld1q_u8(table.bits)));
    }

    [[gnu::always_inline]] static inline reg join(bits<Bytes / 2> low, bits<Bytes / 2> high) {
        if constexpr (Bytes == 16)
            return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(low), vreinterpretq_u64_u8(high)));
        else if constexpr (Bytes == 8)
            return vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(low), vreinterpretq_u32_u8(high)));
        else return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(low), vreinterpretq_u16_u8(high)));
    }
    template <bool Upper>
    [[gnu::always_inline]] static inline bits<Bytes / 2> half(reg value) {
        if constexpr (!Upper) return value;
        else return vextq_u8(value, value, Bytes / 2);
    }

    [[gnu::always_inline]] static inline reg pick_bytes(reg value, const std::uint8_t* table) {
        return vqtbl1q_u8(value, vld1q_u8(table));
    }
    [[gnu::always_inline]] static inline reg spread(const std::uint8_t* table) { return vld1q_u8(table); }
    [[gnu::always_inline]] static inline reg pick_bytes(reg value, reg from) { return vqtbl1q_u8(value, from); }
    [[gnu::always_inline]] static inline reg select_bytes(reg selected, reg then, reg otherwise) {
        return vbslq_u8(selected, then, otherwise);
    }
    [[gnu::always_inline]] static inline reg bit_or(reg a, reg b) { return vorrq_u8(a, b); }
    /// Returns the sum of each eight bytes, as numbers of 64 bits.
    [[gnu::always_inline]] static inline reg sum_eights(reg value) {
        return vreinterpretq_u8_u64(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(value))));
    }
    [[gnu::always_inline]] static inline reg shift(reg value, int left, int right) {
        return vshlq_u8(value, vdupq_n_s8(static_cast<std::int8_t>(left - right)));
    }
    [[gnu::always_inline]] static inline reg add_masked(reg out, reg value, reg mask) {
        return veorq_u8(out, vandq_u8(value, mask));
    }

    /// Zips pieces of 2^first elements: the register bit enters at that lane bit, and the highest lane bit leaves.
    template <shuffle_rule Rule, int ElementBytes>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        constexpr int unit_bytes = ElementBytes << Rule.first;
        if constexpr (unit_bytes == 1) {
            const reg a = low, b = high;
            low = vzip1q_u8(a, b), high = vzip2q_u8(a, b);
        } else if constexpr (unit_bytes == 2) {
            const uint16x8_t a = vreinterpretq_u16_u8(low), b = vreinterpretq_u16_u8(high);
            low = vreinterpretq_u8_u16(vzip1q_u16(a, b)), high = vreinterpretq_u8_u16(vzip2q_u16(a, b));
        } else if constexpr (unit_bytes == 4) {
            const uint32x4_t a = vreinterpretq_u32_u8(low), b = vreinterpretq_u32_u8(high);
            low = vreinterpretq_u8_u32(vzip1q_u32(a, b)), high = vreinterpretq_u8_u32(vzip2q_u32(a, b));
        } else {
            const uint64x2_t a = vreinterpretq_u64_u8(low), b = vreinterpretq_u64_u8(high);
            low = vreinterpretq_u8_u64(vzip1q_u64(a, b)), high = vreinterpretq_u8_u64(vzip2q_u64(a, b));
        }
    }
};

// The shuffles of a network that is a table, for NEON, whose trn is an exchange. Lanes are bytes.

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

inline constexpr bool exchanges_by_table = false, orders_between = false;

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>();

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::neon

template <>
struct plait::engine::simd::code_of<plait::isa::neon> : plait::engine::simd::neon::code {};

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
