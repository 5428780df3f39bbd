#pragma once
// Elements in memory, also those that are smaller than a byte: places are counted in elements, from the pointer.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>

#include <cstring>  // std::memcpy, std::memset

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns `bits` bits of memory from bit `begin` on. Reads the bytes of these bits, and no others.
///
/// Pre:     0 < bits < 8
constexpr std::uint8_t load_bits(const std::byte* from, dim_t begin, int bits) {
    const std::byte* const first = from + begin / 8;
    const int shift = static_cast<int>(begin % 8);
    unsigned value = std::to_integer<unsigned>(first[0]) >> shift;
    if (shift + bits > 8) value |= std::to_integer<unsigned>(first[1]) << (8 - shift);
    return static_cast<std::uint8_t>(value & ((1u << bits) - 1));
}
/// Writes `bits` bits of memory, and keeps all others.
constexpr void store_bits(std::byte* to, dim_t begin, int bits, std::uint8_t value) {
    const int shift = static_cast<int>(begin % 8);
    const auto put = [to = to + begin / 8](int byte, unsigned mask, unsigned some) {
        to[byte] = static_cast<std::byte>((std::to_integer<unsigned>(to[byte]) & ~mask) | (some & mask));
    };
    const unsigned mask = ((1u << bits) - 1) << shift, shifted = unsigned{value} << shift;
    put(0, mask & 255, shifted & 255);
    if (shift + bits > 8) put(1, mask >> 8, shifted >> 8);
}

/// The memory of a tensor with elements of type T, read and written by place: an array of T, or of bytes that hold
/// packed elements. It can be used in constant expressions.
template <element T>
constexpr T get_element(const memory_of<T>* memory, dim_t place) {
    if constexpr (packed_element<T>) {
        constexpr int bits = size_in_bits(data_type_of<T>);
        return T::from_bits(load_bits(memory, place * bits, bits));
    } else {
        return memory[place];
    }
}
template <element T>
constexpr void set_element(memory_of<T>* memory, dim_t place, T value) {
    if constexpr (packed_element<T>) {
        constexpr int bits = size_in_bits(data_type_of<T>);
        store_bits(memory, place * bits, bits, value.bits);
    } else {
        memory[place] = value;
    }
}

/// Returns the element at a place. Pointers need no alignment.
template <element T>
inline T load_element(const std::byte* from, dim_t place) {
    if constexpr (packed_element<T>) {
        return get_element<T>(from, place);
    } else {
        T out;
        std::memcpy(&out, from + place * static_cast<dim_t>(sizeof(T)), sizeof(T));
        return out;
    }
}
/// Writes the element at a place; elements that share its byte keep their values.
template <element T>
inline void store_element(std::byte* to, dim_t place, T value) {
    if constexpr (packed_element<T>) {
        set_element<T>(to, place, value);
    } else {
        std::memcpy(to + place * static_cast<dim_t>(sizeof(T)), &value, sizeof(T));
    }
}

/// Returns the number of an element, exactly.
inline double load_number(data_type type, const std::byte* from, dim_t place) {
    return with_element_type(type, [&]<element T>(T) { return static_cast<double>(load_element<T>(from, place)); });
}
/// Zeroes all bits of the element at a place.
inline void zero_element(data_type type, std::byte* to, dim_t place) {
    if (is_packed(type)) return store_bits(to, place * size_in_bits(type), size_in_bits(type), 0);
    std::memset(to + place * size_in_bytes(type), 0, static_cast<std::size_t>(size_in_bytes(type)));
}

}  // namespace plait::detail
