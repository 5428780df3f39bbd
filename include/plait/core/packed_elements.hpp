#pragma once
// Bits in memory, and elements, also those that are smaller than a byte. Bit 0 is the lowest of byte 0. Places of
// elements are counted in elements, from the pointer.

#include <plait/core/data_type.hpp>
#include <plait/core/dims.hpp>

#include <cstring>  // std::memcpy, std::memset

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the lowest `width` bits, all set.
constexpr std::uint64_t low_bits(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Returns `width` bits of memory from bit `begin` on. Reads the bytes of these bits, and no others.
///
/// Pre:     1 <= width <= 64
constexpr std::uint64_t read_bits(const std::byte* from, dim_t begin, int width) {
    const std::byte* at = from + (begin >> 3);  // rounded down, also in front of offset 0
    const int skipped = static_cast<int>(begin & 7);
    std::uint64_t out = static_cast<std::uint64_t>(*at) >> skipped;
    for (int have = 8 - skipped; have < width; have += 8) out |= static_cast<std::uint64_t>(*++at) << have;
    return out & low_bits(width);
}

/// Writes `width` bits of memory from bit `begin` on, and keeps all others. Reads and writes the bytes of these bits,
/// and no others.
///
/// Pre:     1 <= width <= 64
constexpr void write_bits(std::byte* to, dim_t begin, int width, std::uint64_t value) {
    std::byte* at = to + (begin >> 3);
    for (int skipped = static_cast<int>(begin & 7);; skipped = 0, ++at) {
        const int count = width < 8 - skipped ? width : 8 - skipped;
        const unsigned mask = (0xffu >> (8 - count)) << skipped, bits = static_cast<unsigned>(value) << skipped;
        *at = static_cast<std::byte>((std::to_integer<unsigned>(*at) & ~mask) | (bits & mask));
        width -= count;
        if (width == 0) return;
        value >>= count;
    }
}

/// A run of bits of any length: the place of the first, and their number.
struct bit_run {
    dim_t begin = 0, count = 0;

    /// Cuts off up to `most` bits at the beginning.
    constexpr bit_run cut_off(dim_t most) {
        const bit_run out{begin, count < most ? count : most};
        begin += out.count;
        count -= out.count;
        return out;
    }
    /// Returns how many bits come before the first whole byte, at most all.
    constexpr dim_t before_byte() const { return -begin & 7; }
};

/// Copies a run of bits from bit `begin` on to another place, and keeps all other bits.
///
/// Pre:     the two memories do not overlap
constexpr void copy_bits(const std::byte* from, dim_t begin, std::byte* to, bit_run run) {
    const auto copy_few = [&](const bit_run& few) {
        if (few.count == 0) return;
        const int bits = static_cast<int>(few.count);
        write_bits(to, few.begin, bits, read_bits(from, begin, bits));
        begin += few.count;
    };
    copy_few(run.cut_off(run.before_byte()));
    const dim_t bytes = run.count / 8;
    const std::byte* const source = from + (begin >> 3);
    std::byte* const destination = to + (run.begin >> 3);
    if (const int shift = static_cast<int>(begin & 7); shift == 0) {
        for (dim_t k = 0; k < bytes; ++k) destination[k] = source[k];
    } else {
        for (dim_t k = 0; k < bytes; ++k) destination[k] = source[k] >> shift | source[k + 1] << (8 - shift);
    }
    begin += 8 * bytes;
    run.cut_off(8 * bytes);
    copy_few(run);
}

/// Zeroes a run of bits, and keeps all others.
constexpr void clear_bits(std::byte* to, bit_run run) {
    const auto zero_few = [to](const bit_run& few) {
        if (few.count != 0) write_bits(to, few.begin, static_cast<int>(few.count), 0);
    };
    zero_few(run.cut_off(run.before_byte()));
    const bit_run bytes = run.cut_off(run.count / 8 * 8);
    for (dim_t k = 0; k < bytes.count / 8; ++k) to[(bytes.begin >> 3) + k] = std::byte{};
    zero_few(run);
}

/// The memory of a tensor with elements of type T, read and written by place: an array of T, or of bytes that hold
/// packed elements. It can be used in constant expressions.
template <element T>
constexpr T get_element(const memory_of<T>* memory, dim_t place) {
    if constexpr (packed_element<T>) {
        constexpr int bits = size_in_bits(data_type_of<T>);
        return T::from_bits(static_cast<std::uint8_t>(read_bits(memory, place * bits, bits)));
    } else {
        return memory[place];
    }
}
template <element T>
constexpr void set_element(memory_of<T>* memory, dim_t place, T value) {
    if constexpr (packed_element<T>) {
        constexpr int bits = size_in_bits(data_type_of<T>);
        write_bits(memory, place * bits, bits, value.bits);
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
    clear_bits(to, {place * size_in_bits(type), size_in_bits(type)});
}

}  // namespace plait::detail
