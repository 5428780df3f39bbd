#pragma once
// Integers of fewer than 8 bits, and truth values: the C++ types of single elements. In memory, elements are packed.

#include <plait/version.hpp>

#include <cstdint>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The common base of the integers that C++ lacks: holds one number, as the lowest `Bits` bits of a byte; the other
/// bits are 0. They have no arithmetic, and convert explicitly from and to numbers. A number that is out of range
/// becomes the nearest bound, and a fraction is rounded to the nearest even integer, as convert does.
///
/// Post:    static_cast<int>(Self(i)) == i if i is in range; Self(i) == convert<Self>(i)
/// Example: static_cast<int>(u4(7)) == 7; u4(200) == u4(15); s4::from_bits(15) == s4(-1)
template <class Self, int Bits, bool IsSigned>
struct small_integer {
    static constexpr int lowest = IsSigned ? -(1 << (Bits - 1)) : 0;
    static constexpr int largest = (1 << (IsSigned ? Bits - 1 : Bits)) - 1;

    std::uint8_t bits;

    constexpr small_integer() = default;
    template <class Integer>
        requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>)
    constexpr explicit small_integer(Integer number) : bits(bits_of(number)) {}
    /// Returns the number with the lowest `Bits` bits of a byte.
    [[nodiscard]] static constexpr Self from_bits(std::uint8_t bits) {
        Self out{};
        out.bits = static_cast<std::uint8_t>(bits & ((1 << Bits) - 1));
        return out;
    }

    template <class Number>
        requires(std::is_arithmetic_v<Number>)
    constexpr explicit operator Number() const {
        const int number = bits;
        return static_cast<Number>(number > largest ? number - (1 << Bits) : number);
    }
    constexpr bool operator==(const small_integer&) const = default;

private:
    template <class Integer>
    static constexpr std::uint8_t bits_of(Integer number) {
        // Compared as what they are, so that no large unsigned number becomes a negative one.
        int within = lowest;
        if (number > 0) within = number > static_cast<Integer>(largest) ? largest : static_cast<int>(number);
        else if constexpr (std::is_signed_v<Integer>)
            within = number < static_cast<Integer>(lowest) ? lowest : static_cast<int>(number);
        else within = 0;
        return static_cast<std::uint8_t>(within & ((1 << Bits) - 1));
    }
};
}  // namespace detail

/// An unsigned integer of 1 bit: 0 or 1.
struct u1 : detail::small_integer<u1, 1, false> {
    using small_integer::small_integer;
};
/// An unsigned integer of 2 bits: 0 to 3.
struct u2 : detail::small_integer<u2, 2, false> {
    using small_integer::small_integer;
};
/// An unsigned integer of 4 bits: 0 to 15.
struct u4 : detail::small_integer<u4, 4, false> {
    using small_integer::small_integer;
};
/// A signed integer of 4 bits, in two's complement: -8 to 7.
struct s4 : detail::small_integer<s4, 4, true> {
    using small_integer::small_integer;
};

/// A truth value of one byte: 0 is false, and every other byte is true. Numbers other than 0, and NaN, become 1.
///
/// Post:    static_cast<int>(boolean(x)) == (x != 0); boolean::from_bits(2) == boolean(true)
struct boolean {
    std::uint8_t bits;

    constexpr boolean() = default;
    template <class Number>
        requires(std::is_arithmetic_v<Number>)
    constexpr explicit boolean(Number number) : bits(number != 0 ? 1 : 0) {}
    [[nodiscard]] static constexpr boolean from_bits(std::uint8_t bits) {
        boolean out{};
        out.bits = bits;
        return out;
    }
    template <class Number>
        requires(std::is_arithmetic_v<Number>)
    constexpr explicit operator Number() const { return static_cast<Number>(bits != 0 ? 1 : 0); }
    constexpr bool operator==(const boolean& other) const { return (bits != 0) == (other.bits != 0); }
};

namespace detail {
/// The least and the largest number of an integer type.
struct integer_limits {
    double low, high;
    bool is_signed;
};
/// True if a type is derived from small_integer.
template <class T>
concept small_integer_type = requires {
    T::lowest, T::largest;
};
/// True if a type holds integers, or truth values, which are 0 and 1.
template <class T>
concept integer_type = std::is_integral_v<T> || small_integer_type<T> || std::is_same_v<T, boolean>;

template <integer_type T>
constexpr integer_limits limits_of() {
    if constexpr (std::is_same_v<T, boolean>) return {0, 1, false};
    else if constexpr (small_integer_type<T>) return {T::lowest, T::largest, T::lowest < 0};
    else if constexpr (std::is_same_v<T, std::uint8_t>) return {0, 255, false};
    else if constexpr (std::is_same_v<T, std::int8_t>) return {-128, 127, true};
    else return {-2147483648.0, 2147483647.0, true};
}
}  // namespace detail
}  // namespace plait
