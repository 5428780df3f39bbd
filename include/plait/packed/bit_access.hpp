#pragma once
// Reads and writes bits whose place in a byte the compiler knows, and floating values of a type known at run time as
// bits. Other bits of records are read and written by core/packed_elements.hpp.

#include <plait/core/axis.hpp>
#include <plait/core/packed_elements.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

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
