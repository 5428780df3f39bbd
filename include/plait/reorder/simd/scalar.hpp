#pragma once
// A register of one element, for tiles without lanes: where the two sides have no dense digit in common order.

#include <plait/reorder/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>  // std::memcpy
#include <utility>  // std::integer_sequence

namespace plait::simd {

template <int Bytes>
struct unsigned_of;
template <>
struct unsigned_of<1> {
    using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
    using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
    using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
    using type = std::uint64_t;
};

template <int ElementBytes>
struct scalar_register {
    static constexpr int element_bytes = ElementBytes;
    static constexpr int vector_bytes = ElementBytes;
    using reg = typename unsigned_of<ElementBytes>::type;

    static reg load(const std::byte* from) {
        reg value;
        std::memcpy(&value, from, sizeof(value));
        return value;
    }
    static reg load(const std::byte* from, std::uint64_t lanes) { return (lanes & 1) != 0 ? load(from) : reg{}; }
    static void store(std::byte* to, reg value) { std::memcpy(to, &value, sizeof(value)); }
    static void store(std::byte* to, reg value, std::uint64_t lanes) {
        if ((lanes & 1) != 0) store(to, value);
    }
    static void stream(std::byte* to, reg value) { store(to, value); }
    static void finish_streams() {}
    template <shuffle_rule>
    static void shuffle(reg&, reg&) {}
};

/// The first of several kinds of register that has a size.
template <int Bytes, class First, class... Rest>
struct register_of_size : register_of_size<Bytes, Rest...> {};
template <int Bytes, class First, class... Rest>
    requires(First::vector_bytes == Bytes)
struct register_of_size<Bytes, First, Rest...> {
    using type = First;
};
template <int Bytes, class... Kinds>
using pick_register = typename register_of_size<Bytes, Kinds...>::type;

/// Loads and stores the lanes of a mask one by one, for sizes that have no masked instruction. A register passes
/// through memory of its size: a function outside the target regions neither takes nor returns one.
template <int ElementBytes, int Bytes>
struct lanes_in_memory {
    alignas(Bytes) std::byte all[Bytes]{};

    // Not inlined: a tile at an end would else hold dozens of copies.
    [[gnu::noinline]] void load(const std::byte* from, std::uint64_t lanes) {
        for (int i = 0; i < Bytes; i += ElementBytes, lanes >>= 1)
            if ((lanes & 1) != 0) std::memcpy(all + i, from + i, ElementBytes);
    }
    [[gnu::noinline]] void store(std::byte* to, std::uint64_t lanes) const {
        for (int i = 0; i < Bytes; i += ElementBytes, lanes >>= 1)
            if ((lanes & 1) != 0) std::memcpy(to + i, all + i, ElementBytes);
    }
};

}  // namespace plait::simd
