#pragma once
// The bits of a value in memory, from any bit on, and the C++ types of the values of a field.

#include <plait/packed/record_index.hpp>

#include <bit>

static_assert(std::endian::native == std::endian::little,
              "plait: records store little-endian numbers, and are not supported on big-endian machines");

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the bits of a value, the others being 0.
template <class T>
constexpr std::uint64_t bits_of(T value) {
    if constexpr (std::is_integral_v<T>) return static_cast<std::make_unsigned_t<T>>(value);
    else if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(value);
    else return value.bits;
}
/// Returns the value that has these bits.
template <class T>
constexpr T value_of(std::uint64_t bits) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(bits));
    else if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
    else return T::from_bits(static_cast<decltype(T::bits)>(bits));
}

/// Reads and writes `Width` bits that begin at a bit of a byte between Least and Largest. Bits are numbered from the
/// lowest bit of byte 0, whatever the machine's order of bytes; compilers join the bytes to one load or store.
template <int Width, int Least, int Largest>
struct bits_in_bytes {
    static constexpr int bytes_always = (Least + Width + 7) / 8, bytes_most = (Largest + Width + 7) / 8;
    static constexpr std::uint64_t mask = Width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Width % 64) - 1;
    static constexpr bool in_one_word = bytes_most <= 8;
    using lower = bits_in_bytes<32, Least, Largest>;  // two halves otherwise
    using upper = bits_in_bytes<(Width > 32 ? Width - 32 : 1), Least, Largest>;

    /// Reads no byte that has none of the bits.
    [[gnu::always_inline]] static constexpr std::uint64_t load(const std::byte* from, std::uint64_t bit) {
        if constexpr (in_one_word) return load(from, bit, std::make_integer_sequence<int, bytes_most>());
        else return lower::load(from, bit) | upper::load(from + 4, bit) << 32;
    }
    /// Keeps all other bits.
    [[gnu::always_inline]] static constexpr void store(std::byte* to, std::uint64_t bit, std::uint64_t value) {
        if constexpr (in_one_word) {
            store(to, (value & mask) << bit, mask << bit, std::make_integer_sequence<int, bytes_most>());
        } else {
            lower::store(to, bit, value);
            upper::store(to + 4, bit, value >> 32);
        }
    }

private:
    template <int... I>
    [[gnu::always_inline]] static constexpr std::uint64_t load(const std::byte* from, std::uint64_t bit,
                                                               std::integer_sequence<int, I...>) {
        return (... | load_byte<I>(from, bit)) >> bit & mask;
    }
    template <int I>
    [[gnu::always_inline]] static constexpr std::uint64_t load_byte(const std::byte* from,
                                                                    [[maybe_unused]] std::uint64_t bit) {
        if constexpr (I >= bytes_always)
            if (bit + Width <= 8 * I) return 0;
        return std::to_integer<std::uint64_t>(from[I]) << 8 * I;
    }
    template <int... I>
    [[gnu::always_inline]] static constexpr void store(std::byte* to, std::uint64_t value, std::uint64_t changed,
                                                       std::integer_sequence<int, I...>) {
        (store_byte<I>(to, value, changed), ...);
    }
    template <int I>
    [[gnu::always_inline]] static constexpr void store_byte(std::byte* to, std::uint64_t value, std::uint64_t changed) {
        const auto bits = static_cast<std::byte>(value >> 8 * I & 255),
                   here = static_cast<std::byte>(changed >> 8 * I & 255);
        if constexpr (Width % 8 == 0 && Largest == 0) to[I] = bits;
        else if (I < bytes_always || here != std::byte{0}) to[I] = (to[I] & ~here) | bits;
    }
};

/// The values of the field Name of a record type: their C++ type, and the bits of the whole values.
///
/// The type is that of the tag. Pieces that have parts of the values, and types that the library lacks, as u6, are
/// std::uint8_t, or std::uint16_t, ... if they have more than 8 bits.
template <class R, fixed_string Name>
class field_values_of {
    static constexpr field_pieces pieces = field_index<R, Name>::pieces;
    static constexpr const record_field& piece(int i) {
        return R::shape.field_of(R::shape.pieces.values[pieces.values[i]]);
    }
    static constexpr bool same_types() {
        for (int i = 0; i < pieces.count; ++i)
            if (piece(i).type != piece(0).type || piece(i).width != piece(0).width || piece(i).low != 0) return false;
        return true;
    }
    static constexpr int count_bits() {
        int most = 0;
        for (int i = 0; i < pieces.count; ++i)
            if (piece(i).low + piece(i).width > most) most = piece(i).low + piece(i).width;
        return most;
    }
    static constexpr auto holder() {
        if constexpr (pieces.count == 0) return std::uint8_t{};
        else if constexpr (is_whole && piece(0).type != data_type::undef) return element_type_of<piece(0).type>{};
        else if constexpr (bits <= 8) return std::uint8_t{};
        else if constexpr (bits <= 16) return std::uint16_t{};
        else if constexpr (bits <= 32) return std::uint32_t{};
        else return std::uint64_t{};
    }

public:
    static constexpr int bits = count_bits();
    static constexpr bool is_whole = same_types();  // each value lies in one piece
    using type = decltype(holder());
};

template <class T>
inline constexpr bool has_factor =
    std::is_same_v<T, float> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
/// Multiplies or divides a value by the factor that the tag has; the product is rounded once.
template <class T>
[[gnu::always_inline]] constexpr T times(T value, double factor) {
    if constexpr (has_factor<T>) return factor == 1 ? value : static_cast<T>(static_cast<double>(value) * factor);
    else return value;
}
template <class T>
[[gnu::always_inline]] constexpr T divided(T value, double factor) {
    if constexpr (has_factor<T>) return factor == 1 ? value : static_cast<T>(static_cast<double>(value) / factor);
    else return value;
}

}  // namespace plait::detail
