#pragma once
// Registers as arrays: for CPUs without a header of their own. This is the plainest statement of each shuffle rule.

#include <plait/contract/convert.hpp>
#include <plait/engine/simd/scalar.hpp>

#if !defined(__clang__)
// GCC warns of every array bound that is an int and depends on a template; Clang warns of sign conversions there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd::portable {

inline constexpr isa this_isa = isa::portable;

inline void finish_streams() {}

#include <plait/engine/simd/convert_arrays.inl>

template <int Bytes>
struct vector {
    using reg = bits<Bytes>;

    static reg load(const std::byte* from) {
        reg value{};
        std::memcpy(value.all, from, Bytes);
        return value;
    }
    static void store(std::byte* to, const reg& value) { std::memcpy(to, value.all, Bytes); }
    template <int ElementBytes>
    static reg load(const std::byte* from, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, Bytes> memory;
        memory.load(from, lanes);
        return load(memory.all);
    }
    template <int ElementBytes>
    static void store(std::byte* to, const reg& value, std::uint64_t lanes) {
        lanes_in_memory<ElementBytes, Bytes> memory;
        store(memory.all, value);
        memory.store(to, lanes);
    }
    static void stream(std::byte* to, const reg& value) { store(to, value); }

    static reg join(const bits<Bytes / 2>& low, const bits<Bytes / 2>& high) {
        reg value{};
        std::memcpy(value.all, low.all, Bytes / 2);
        std::memcpy(value.all + Bytes / 2, high.all, Bytes / 2);
        return value;
    }
    template <bool Upper>
    static bits<Bytes / 2> half(const reg& value) {
        return vector<Bytes / 2>::load(value.all + (Upper ? Bytes / 2 : 0));
    }

    static reg pick_bytes(const reg& value, const std::uint8_t* table) {
        reg out{};
        for (int i = 0; i < Bytes; ++i)
            if (table[i % 16] < 16) out.all[i] = value.all[i / 16 * 16 + table[i % 16]];
        return out;
    }
    static reg spread(const std::uint8_t* table) {
        reg out{};
        for (int i = 0; i < Bytes; ++i) out.all[i] = static_cast<std::byte>(table[i % 16]);
        return out;
    }
    static reg pick_bytes(const reg& value, const reg& from) {
        reg out{};
        for (int i = 0; i < Bytes; ++i)
            if (const int place = static_cast<int>(from.all[i]); place < 16)
                out.all[i] = value.all[i / 16 * 16 + place];
        return out;
    }
    static reg select_bytes(const reg& selected, const reg& then, reg otherwise) {
        for (int i = 0; i < Bytes; ++i)
            if (selected.all[i] != std::byte{0}) otherwise.all[i] = then.all[i];
        return otherwise;
    }
    static reg bit_or(reg a, const reg& b) {
        for (int i = 0; i < Bytes; ++i) a.all[i] |= b.all[i];
        return a;
    }

    /// Shuffles by definition: computes, bit by bit, where each lane of the two results comes from.
    template <shuffle_rule Rule, int ElementBytes>
    static void shuffle(reg& low, reg& high) {
        const reg in[2] = {low, high};
        constexpr int lanes = Bytes / ElementBytes, lane_bits = log2_of(lanes);
        for (int number = 0; number < 2; ++number)
            for (int lane = 0; lane < lanes; ++lane) {
                // The bits of the result: the lane bits, followed by the register bit.
                const auto bit = [&](int k) { return k == lane_bits ? number : lane >> k & 1; };
                int from = lane & ~(((2 << Rule.last) - 1) & ~((1 << Rule.first) - 1));
                for (int l = Rule.first; l <= Rule.last; ++l) {
                    const int now =
                        Rule.upwards ? (l == Rule.last ? lane_bits : l + 1) : (l == Rule.first ? lane_bits : l - 1);
                    from |= bit(now) << l;
                }
                const int entered = bit(Rule.upwards ? Rule.first : Rule.last);
                std::memcpy((number == 0 ? low : high).all + lane * ElementBytes, in[entered].all + from * ElementBytes,
                            ElementBytes);
            }
    }
};

#include <plait/engine/simd/element_access.inl>
#include <plait/engine/simd/lane_shuffles_arrays.inl>
#include <plait/engine/simd/nibble_lookup_arrays.inl>

#include <plait/engine/simd/kernel.inl>

#include <plait/engine/simd/pattern_kernels.inl>

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>();

#include <plait/engine/simd/row_conversions.inl>

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::portable

template <>
struct plait::engine::simd::code_of<plait::isa::portable> : plait::engine::simd::portable::code {};

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
