#pragma once
// NEON: 128-bit registers. It is part of every aarch64, so there is no target region to open.

#include <plait/reorder/convert.hpp>
#include <plait/reorder/simd/scalar.hpp>

#if defined(__aarch64__)
#include <arm_neon.h>

namespace plait::simd::neon {

inline constexpr isa this_isa = isa::neon;

template <int ElementBytes>
struct vector128 {
    static constexpr int element_bytes = ElementBytes;
    static constexpr int vector_bytes = 16;
    using reg = uint8x16_t;

    [[gnu::always_inline]] static inline reg load(const std::byte* from) {
        return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from));
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) {
        vst1q_u8(reinterpret_cast<std::uint8_t*>(to), value);
    }
    // The store past the cache takes a pair of registers, and is only a hint; cores see whole lines being written
    // without it.
    [[gnu::always_inline]] static inline void stream(std::byte* to, reg value) { store(to, value); }
    [[gnu::always_inline]] static inline void finish_streams() {}
    // No masked loads: some lanes go through memory.
    [[gnu::always_inline]] static inline reg load(const std::byte* from, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        memory.load(from, lanes);
        return load(memory.all);
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, 16> memory;
        store(memory.all, value);
        memory.store(to, lanes);
    }

    /// Zip pieces of 2^first elements: the register bit enters there, and the highest lane bit leaves.
    template <shuffle_rule Rule>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        constexpr int piece = ElementBytes << Rule.first;
        if constexpr (piece == 1) {
            const reg a = low, b = high;
            low = vzip1q_u8(a, b), high = vzip2q_u8(a, b);
        } else if constexpr (piece == 2) {
            const uint16x8_t a = vreinterpretq_u16_u8(low), b = vreinterpretq_u16_u8(high);
            low = vreinterpretq_u8_u16(vzip1q_u16(a, b)), high = vreinterpretq_u8_u16(vzip2q_u16(a, b));
        } else if constexpr (piece == 4) {
            const uint32x4_t a = vreinterpretq_u32_u8(low), b = vreinterpretq_u32_u8(high);
            low = vreinterpretq_u8_u32(vzip1q_u32(a, b)), high = vreinterpretq_u8_u32(vzip2q_u32(a, b));
        } else {
            const uint64x2_t a = vreinterpretq_u64_u8(low), b = vreinterpretq_u64_u8(high);
            low = vreinterpretq_u8_u64(vzip1q_u64(a, b)), high = vreinterpretq_u8_u64(vzip2q_u64(a, b));
        }
    }
};

template <int ElementBytes, int LaneBits>
using registers_of = pick_register<(ElementBytes << LaneBits), vector128<ElementBytes>, scalar_register<ElementBytes>>;

#include <plait/reorder/simd/convert128_neon.inl>
#include <plait/reorder/simd/convert_lanes.inl>
#include <plait/reorder/simd/kernel.inl>

}  // namespace plait::simd::neon
#endif
