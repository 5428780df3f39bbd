#pragma once
// Reads and writes runs of up to 64 bits that may begin inside a byte, and floating values of a type known at run time
// as bits. Bit 0 is the lowest of byte 0.

#include <plait/core/axis.hpp>
#include <plait/core/packed_elements.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the lowest `width` bits, all set.
constexpr std::uint64_t low_bits(int width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Returns `width` bits from bit `begin` on.
///
/// Pre:     1 <= width <= 64; the bytes from begin / 8 to (begin + width - 1) / 8 may be read
constexpr std::uint64_t read_bits(const std::byte* from, dim_t begin, int width) {
    const std::byte* at = from + begin / 8;
    const int skipped = static_cast<int>(begin % 8);
    std::uint64_t out = static_cast<std::uint64_t>(*at) >> skipped;
    for (int have = 8 - skipped; have < width; have += 8) out |= static_cast<std::uint64_t>(*++at) << have;
    return out & low_bits(width);
}

/// Writes `width` bits from bit `begin` on; other bits of the bytes stay.
///
/// Pre:     as read_bits
constexpr void write_bits(std::byte* to, dim_t begin, int width, std::uint64_t value) {
    std::byte* at = to + begin / 8;
    int skipped = static_cast<int>(begin % 8);
    for (int done = 0; done < width; skipped = 0, ++at) {
        const int left = width - done, count = left < 8 - skipped ? left : 8 - skipped;
        const auto mask = static_cast<std::uint8_t>(low_bits(count) << skipped);
        const auto bits = static_cast<std::uint8_t>((value >> done & low_bits(count)) << skipped);
        *at = static_cast<std::byte>((static_cast<std::uint8_t>(*at) & ~mask) | bits);
        done += count;
    }
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
    template <int... Index>
    [[gnu::always_inline]] static constexpr std::uint64_t load(const std::byte* from, std::uint64_t bit,
                                                               std::integer_sequence<int, Index...>) {
        return (... | load_byte<Index>(from, bit)) >> bit & mask;
    }
    template <int Index>
    [[gnu::always_inline]] static constexpr std::uint64_t load_byte(const std::byte* from,
                                                                    [[maybe_unused]] std::uint64_t bit) {
        if constexpr (Index >= bytes_always)
            if (bit + Width <= 8 * Index) return 0;
        return std::to_integer<std::uint64_t>(from[Index]) << 8 * Index;
    }
    template <int... Index>
    [[gnu::always_inline]] static constexpr void store(std::byte* to, std::uint64_t value, std::uint64_t changed,
                                                       std::integer_sequence<int, Index...>) {
        (store_byte<Index>(to, value, changed), ...);
    }
    template <int Index>
    [[gnu::always_inline]] static constexpr void store_byte(std::byte* to, std::uint64_t value, std::uint64_t changed) {
        const auto bits = static_cast<std::byte>(value >> 8 * Index & 255),
                   here = static_cast<std::byte>(changed >> 8 * Index & 255);
        if constexpr (Width % 8 == 0 && Largest == 0) to[Index] = bits;
        else if (Index < bytes_always || here != std::byte{0}) to[Index] = (to[Index] & ~here) | bits;
    }
};

/// Returns a floating value from its bits.
inline float float_of_bits(data_type type, std::uint64_t bits) {
    return with_element_type(type, [bits](auto element) -> float {
        std::memcpy(&element, &bits, sizeof element);
        return static_cast<float>(element);
    });
}

/// Returns the bits of the value of a floating type that is nearest to a number.
inline std::uint64_t bits_of_float(data_type type, float number) {
    return with_element_type(type, [number](auto element) -> std::uint64_t {
        std::uint64_t bits = 0;
        if constexpr (std::is_constructible_v<decltype(element), float>) {
            element = static_cast<decltype(element)>(number);
            std::memcpy(&bits, &element, sizeof element);
        }
        return bits;
    });
}

/// Returns a product that is rounded even if it is then added. GCC fuses the two where the CPU can, and the bytes of a
/// sum would depend on the CPU.
[[gnu::always_inline]] inline float rounded_product(float a, float b) {
    float product = a * b;
#if defined(__x86_64__)
    asm("" : "+x"(product));
#elif defined(__aarch64__)
    asm("" : "+w"(product));
#endif
    return product;
}

}  // namespace plait::detail
