#pragma once
// Registers as arrays: for CPUs without a file of their own, and the plainest statement of what a shuffle rule does.

#include <plait/reorder/convert.hpp>
#include <plait/reorder/simd/scalar.hpp>

namespace plait::simd::portable {

inline constexpr isa this_isa = isa::portable;

template <int ElementBytes, int LaneBits>
struct array_register {
    static constexpr int element_bytes = ElementBytes;
    static constexpr int lanes = 1 << LaneBits;
    static constexpr int vector_bytes = ElementBytes * lanes;
    struct reg {
        typename unsigned_of<ElementBytes>::type lane[lanes];
    };

    static reg load(const std::byte* from) {
        reg value;
        std::memcpy(&value, from, sizeof(value));
        return value;
    }
    static void store(std::byte* to, const reg& value) { std::memcpy(to, &value, sizeof(value)); }
    static reg load(const std::byte* from, std::uint64_t mask) {
        lanes_in_memory<ElementBytes, vector_bytes> memory;
        memory.load(from, mask);
        return load(memory.all);
    }
    static void store(std::byte* to, const reg& value, std::uint64_t mask) {
        lanes_in_memory<ElementBytes, vector_bytes> memory;
        store(memory.all, value);
        memory.store(to, mask);
    }
    static void stream(std::byte* to, const reg& value) { store(to, value); }
    static void finish_streams() {}

    /// Straight from the definition: where each lane of the two results comes from, bit by bit.
    template <shuffle_rule Rule>
    static void shuffle(reg& low, reg& high) {
        const reg in[2] = {low, high};
        for (int number = 0; number < 2; ++number)
            for (int lane = 0; lane < lanes; ++lane) {
                // The bits of the result: the lane bits, and behind them the register bit.
                const auto bit = [&](int at) { return at == LaneBits ? number : lane >> at & 1; };
                int from = lane & ~(((2 << Rule.last) - 1) & ~((1 << Rule.first) - 1));
                for (int l = Rule.first; l <= Rule.last; ++l) {
                    const int now =
                        Rule.upwards ? (l == Rule.last ? LaneBits : l + 1) : (l == Rule.first ? LaneBits : l - 1);
                    from |= bit(now) << l;
                }
                const int entered = bit(Rule.upwards ? Rule.first : Rule.last);
                (number == 0 ? low : high).lane[lane] = in[entered].lane[from];
            }
    }
};

template <int ElementBytes, int LaneBits>
using registers_of =
    pick_register<(ElementBytes << LaneBits), scalar_register<ElementBytes>, array_register<ElementBytes, LaneBits>>;

#include <plait/reorder/simd/convert_arrays.inl>
#include <plait/reorder/simd/kernel.inl>

}  // namespace plait::simd::portable
