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

// Conversion of the lanes of registers that are arrays, and arithmetic on them, one lane at a time, by definition.

/// The register that holds `Bytes` bytes; fewer than 16 bytes are the low bytes of 128 bits, as in all instruction
/// sets.
template <int Bytes>
struct byte_register {
    alignas(16) std::byte all[Bytes];
};
template <int Bytes>
using bits = byte_register<(Bytes < 16 ? 16 : Bytes)>;

template <class T, int Bytes>
T read_lane(const byte_register<Bytes>& from, int lane) {
    T value;
    std::memcpy(&value, from.all + lane * static_cast<int>(sizeof(T)), sizeof(T));
    return value;
}
template <class T, int Bytes>
void write_lane(byte_register<Bytes>& to, int lane, T value) {
    std::memcpy(to.all + lane * static_cast<int>(sizeof(T)), &value, sizeof(T));
}

/// Converts the low lanes of a register to another type.
///
/// Pre:     Lanes is a power of two, with Lanes * max(sizeof(T), sizeof(U), 4) <= vector_bytes(this_isa)
/// Post:    lane i of the result is convert<U>(lane i of from), bit for bit
template <element T, element U, int Lanes>
bits<Lanes * sizeof(U)> convert_lanes(const bits<Lanes * sizeof(T)>& from) {
    bits<Lanes * sizeof(U)> to{};
    for (int i = 0; i < Lanes; ++i) write_lane(to, i, convert<U>(read_lane<T>(from, i)));
    return to;
}

/// Converts the lanes of a register of f32 from another type.
template <element T, bool, int Lanes>
bits<Lanes * sizeof(float)> number_lanes(const bits<Lanes * sizeof(T)>& from) {
    return convert_lanes<T, float, Lanes>(from);
}

/// False, because lanes are never packed here; see convert_lanes.inl.
template <class T, class U>
constexpr bool packs_when_loaded = false;
template <element T, element U, class... Register>
void pack_lanes(Register...);

/// Sums, differences and products of lanes of f32 or f64, each rounded separately.
///
/// Pre:     T is float or double
template <class T, int Lanes>
bits<Lanes * sizeof(T)> add(const bits<Lanes * sizeof(T)>& a, const bits<Lanes * sizeof(T)>& b) {
    bits<Lanes * sizeof(T)> sum{};
    for (int i = 0; i < Lanes; ++i) write_lane(sum, i, read_lane<T>(a, i) + read_lane<T>(b, i));
    return sum;
}
template <class T, int Lanes>
bits<Lanes * sizeof(T)> subtract(const bits<Lanes * sizeof(T)>& a, const bits<Lanes * sizeof(T)>& b) {
    bits<Lanes * sizeof(T)> difference{};
    for (int i = 0; i < Lanes; ++i) write_lane(difference, i, read_lane<T>(a, i) - read_lane<T>(b, i));
    return difference;
}
template <class T, int Lanes>
bits<Lanes * sizeof(T)> multiply(const bits<Lanes * sizeof(T)>& a, const bits<Lanes * sizeof(T)>& b) {
    bits<Lanes * sizeof(T)> product{};
    for (int i = 0; i < Lanes; ++i) {
        // The asm has no instruction; it hides the product, so that the compiler cannot fuse it into an FMA.
        auto bits_of_product =
            std::bit_cast<typename unsigned_of<sizeof(T)>::type>(read_lane<T>(a, i) * read_lane<T>(b, i));
        asm("" : "+r"(bits_of_product));
        write_lane(product, i, bits_of_product);
    }
    return product;
}
/// Sums of s32, modulo 2^32.
template <int Lanes>
bits<Lanes * 4> add_integers(const bits<Lanes * 4>& a, const bits<Lanes * 4>& b) {
    bits<Lanes * 4> sum{};
    for (int i = 0; i < Lanes; ++i) write_lane(sum, i, read_lane<std::uint32_t>(a, i) + read_lane<std::uint32_t>(b, i));
    return sum;
}
/// Returns a register with x in every lane.
template <class T, int Lanes>
bits<Lanes * sizeof(T)> broadcast(T x) {
    bits<Lanes * sizeof(T)> all{};
    for (int i = 0; i < Lanes; ++i) write_lane(all, i, x);
    return all;
}

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
    template <int ElementBytes>
    static reg keep_lanes(const reg& value, std::uint64_t lanes) {
        return load<ElementBytes>(value.all, lanes);
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
    /// Returns the sum of each eight bytes, as numbers of 64 bits. Pairs of bytes are added first, in 16 bits.
    static reg sum_eights(const reg& value) {
        constexpr std::uint64_t every_other = 0x00ff00ff00ff00ff, every_fourth = 0x0001000100010001;
        reg out{};
        for (int i = 0; i < Bytes / 8; ++i) {
            const auto eight = read_lane<std::uint64_t>(value, i);
            write_lane(out, i, ((eight & every_other) + (eight >> 8 & every_other)) * every_fourth >> 48);
        }
        return out;
    }
    static reg shift(reg value, int left, int right) {
        for (int i = 0; i < Bytes; ++i) value.all[i] = value.all[i] << left >> right;
        return value;
    }
    static reg add_masked(reg out, const reg& value, const reg& mask) {
        for (int i = 0; i < Bytes; ++i) out.all[i] ^= value.all[i] & mask.all[i];
        return out;
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

// The shuffles of a network that is a table, with registers that are arrays: two words of 64 bits, whose bytes are
// moved by shifts and masks. This assumes the byte order of little-endian machines; others move single elements. Lanes
// are bytes.

/// One vector of a network, as a register.
template <int Bytes>
inline bits<Bytes> load_vector(const lane_vector& from) {
    bits<Bytes> out{};
    std::memcpy(out.all, from.words, 16);
    return out;
}

template <int Bytes>
struct lane_shuffles {
    using reg = bits<Bytes>;
    static constexpr bool goes_across = false;

    static void exchange_within(reg& low, reg& high, const reg& ones, const reg& shift) {
        exchange_by(low, high, read_lane<std::uint64_t>(ones, 0), read_lane<std::uint32_t>(shift, 0));
    }
    /// Exchanges the high halves of the bytes of the first register with the low halves of the second.
    static void exchange_half_bytes(reg& low, reg& high) { exchange_by(low, high, 0xf0f0f0f0f0f0f0f0, 4); }
    template <int Lane>
    static void exchange(reg& low, reg& high, const reg&, const reg&) {
        if constexpr (Lane == 2) {
            exchange_by(low, high, 0xffffffff00000000, 32);
        } else {
            const auto a = read_lane<std::uint64_t>(low, 1), b = read_lane<std::uint64_t>(high, 0);
            write_lane(low, 1, b);
            write_lane(high, 0, a);
        }
    }
    static reg order_within(const reg& value, const reg& from) {
        reg out{};
        for (int i = 0; i < 16; ++i) out.all[i] = value.all[static_cast<int>(from.all[i])];
        return out;
    }
    static reg order_across(const reg& value, const reg&) { return value; }

private:
    static void exchange_by(reg& low, reg& high, std::uint64_t ones, std::uint32_t shift) {
        for (int word = 0; word < 2; ++word) {
            const auto a = read_lane<std::uint64_t>(low, word), b = read_lane<std::uint64_t>(high, word);
            write_lane(low, word, (a & ~ones) | (b << shift & ones));
            write_lane(high, word, (a >> shift & ~ones) | (b & ones));
        }
    }
};

inline constexpr bool exchanges_by_table = false, orders_between = false;

#include <plait/engine/simd/table_kernels.inl>

/// The kernels whose networks are tables.
template <int Widest>
inline constexpr table_kernels every_table_kernel = make_table_kernels<Widest>();

#include <plait/engine/simd/instruction_set.inl>

}  // namespace plait::engine::simd::portable

template <>
struct plait::engine::simd::code_of<plait::isa::portable> : plait::engine::simd::portable::code {};

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
