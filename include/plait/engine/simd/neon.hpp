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

#include <plait/engine/simd/convert128_neon.inl>
#include <plait/engine/simd/convert_lanes.inl>

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

#include <plait/engine/simd/element_access.inl>
#include <plait/engine/simd/lane_shuffles_neon.inl>
#include <plait/engine/simd/nibble_lookup.inl>

#include <plait/engine/simd/kernel.inl>

#include <plait/engine/simd/pattern_kernels.inl>

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>();

#include <plait/engine/simd/row_conversions.inl>

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::neon

template <>
struct plait::engine::simd::code_of<plait::isa::neon> : plait::engine::simd::neon::code {};

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif
