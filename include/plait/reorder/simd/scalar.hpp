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
struct unsigned_of<1> { using type = std::uint8_t; };
template <>
struct unsigned_of<2> { using type = std::uint16_t; };
template <>
struct unsigned_of<4> { using type = std::uint32_t; };
template <>
struct unsigned_of<8> { using type = std::uint64_t; };

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

/// Loads the lanes of a mask through memory, one by one; the others are zero. For sizes that have no masked load.
template <class Vector, int ElementBytes>
inline Vector load_lanes(const std::byte* from, std::uint64_t lanes) {
    alignas(Vector) std::byte all[sizeof(Vector)]{};
    for (std::size_t i = 0; i < sizeof(Vector) / ElementBytes; ++i)
        if ((lanes >> i & 1) != 0) std::memcpy(all + i * ElementBytes, from + i * ElementBytes, ElementBytes);
    Vector out;
    std::memcpy(&out, all, sizeof(out));
    return out;
}
template <int ElementBytes, class Vector>
inline void store_lanes(std::byte* to, const Vector& value, std::uint64_t lanes) {
    alignas(Vector) std::byte all[sizeof(Vector)];
    std::memcpy(all, &value, sizeof(value));
    for (std::size_t i = 0; i < sizeof(Vector) / ElementBytes; ++i)
        if ((lanes >> i & 1) != 0) std::memcpy(to + i * ElementBytes, all + i * ElementBytes, ElementBytes);
}

}  // namespace plait::simd
