#pragma once
// The C++ types that hold elements; element_types.hpp has the table of their names and sizes. Conversions between them:
// contract/convert.hpp.

#include <plait/core/element_types.hpp>
#include <plait/core/float_format.hpp>
#include <plait/core/small_integers.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The common base of the floating-point types that C++20 lacks: holds their bits, and is trivial as float is. They
/// have no arithmetic. They convert explicitly from and to float and double, and compare by their bits.
///
/// A number becomes the nearest one, ties to even. A number that is too large becomes infinity; NaN if the type has no
/// infinity; the largest number if it has neither. Construction from an integer does not compile, because it could mean
/// a number or bits. For bits, use from_bits and `bits`; types of fewer than 8 bits use the lowest ones.
///
/// Post:    static_cast<float>(x) == convert<float>(x); Self(f) has the bits of convert<Self>(f)
/// Cost:    about 20 instructions; a reorder converts whole registers
/// Example: static_cast<float>(bfloat16(1.5f)) == 1.5f; bfloat16::from_bits(0x3fc0) == bfloat16(1.5f)
template <class Self, class Bits, float_format Format>
struct float_bits {
    static constexpr float_format format = Format;

    Bits bits;

    constexpr float_bits() = default;
    template <class Number>
        requires(std::is_same_v<Number, float> || std::is_same_v<Number, double>)
    constexpr explicit float_bits(Number number) : bits(static_cast<Bits>(encode(Format, number))) {}
    [[nodiscard]] static constexpr Self from_bits(Bits bits) {
        Self out{};
        out.bits = bits;
        return out;
    }

    constexpr explicit operator double() const { return decode(Format, bits); }
    constexpr explicit operator float() const { return static_cast<float>(decode(Format, bits)); }
    constexpr bool operator==(const float_bits&) const = default;
};
}  // namespace detail

/// The upper half of a float: 8 bits of exponent, 7 of mantissa.
struct bfloat16 : detail::float_bits<bfloat16, std::uint16_t, detail::float_format{8, 7, true, 0x7fc0}> {
    using float_bits::float_bits;
};
/// The half precision of IEEE 754: 5 bits of exponent, 10 of mantissa.
struct float16 : detail::float_bits<float16, std::uint16_t, detail::float_format{5, 10, true, 0x7e00}> {
    using float_bits::float_bits;
};
/// An 8-bit float with infinities: 5 bits of exponent, 2 of mantissa.
struct float8_e5m2 : detail::float_bits<float8_e5m2, std::uint8_t, detail::float_format{5, 2, true, 0x7e}> {
    using float_bits::float_bits;
};
/// An 8-bit float without infinities: 4 bits of exponent, 3 of mantissa; the largest number is 448.
struct float8_e4m3 : detail::float_bits<float8_e4m3, std::uint8_t, detail::float_format{4, 3, false, 0x7f}> {
    using float_bits::float_bits;
};
/// float8_e4m3 without a sign, for scales: its highest bit is not used, and negative numbers become 0.
struct float8_ue4m3
    : detail::float_bits<float8_ue4m3, std::uint8_t, detail::float_format{4, 3, false, 0x7f, true, false}> {
    using float_bits::float_bits;
};
/// A 4-bit float without infinity and NaN: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
struct float4_e2m1 : detail::float_bits<float4_e2m1, std::uint8_t, detail::float_format{2, 1, false, 7, false}> {
    using float_bits::float_bits;
};
/// A 4-bit float without mantissa: 0, the powers of two from 0.25 to 16, and their negatives.
struct float4_e3m0 : detail::float_bits<float4_e3m0, std::uint8_t, detail::float_format{3, 0, false, 7, false}> {
    using float_bits::float_bits;
};
/// A 6-bit float without infinity and NaN: multiples of 0.125 up to 7.5.
struct float6_e2m3 : detail::float_bits<float6_e2m3, std::uint8_t, detail::float_format{2, 3, false, 31, false}> {
    using float_bits::float_bits;
};
/// A 6-bit float without infinity and NaN: multiples of 0.0625 up to 28.
struct float6_e3m2 : detail::float_bits<float6_e3m2, std::uint8_t, detail::float_format{3, 2, false, 31, false}> {
    using float_bits::float_bits;
};

/// A scale of 8 bits: the power of two 2^(bits - 127), or NaN for 255. It has no sign and no zero.
///
/// A positive number becomes the largest power of two that is not above it, or the least, 2^-127, if there is none; 0
/// becomes the least. A number below 0, infinity and NaN become NaN.
///
/// Source:  OCP microscaling formats 1.0; the rounding, which it leaves open, is oneDNN 3's: the exponent of the f32
/// Example: static_cast<float>(float8_e8m0(3.0f)) == 2.0f; float8_e8m0(1.0f).bits == 127
struct float8_e8m0 {
    std::uint8_t bits;

    constexpr float8_e8m0() = default;
    template <class Number>
        requires(std::is_same_v<Number, float> || std::is_same_v<Number, double>)
    constexpr explicit float8_e8m0(Number number) : bits(encode_power(number)) {}
    [[nodiscard]] static constexpr float8_e8m0 from_bits(std::uint8_t bits) {
        float8_e8m0 out{};
        out.bits = bits;
        return out;
    }
    constexpr explicit operator double() const {
        const std::uint64_t exponent = bits == 255 ? 0x7ff8 : static_cast<std::uint64_t>(bits + 896) << 4;
        return std::bit_cast<double>(exponent << 48);
    }
    constexpr explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
    constexpr bool operator==(const float8_e8m0&) const = default;

private:
    static constexpr std::uint8_t encode_power(double x) {
        if (!(x >= 0) || x >= 0x1p128) return 255;
        const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 896;
        return static_cast<std::uint8_t>(exponent > 0 ? exponent : 0);
    }
};

namespace detail {
template <class... Types>
struct element_list {};

/// The C++ types of the rows of element_types.
using element_cpp_types = element_list<void, double, float, bfloat16, float16, float8_e5m2, float8_e4m3, std::int32_t,
                                       std::int8_t, std::uint8_t, u1, u2, u4, s4, float4_e2m1, float4_e3m0, float6_e2m3,
                                       float6_e3m2, float8_e8m0, float8_ue4m3, boolean>;

/// A type at its place in a list. All of a list are bases of one class, so that finding a type instantiates no others.
template <int Place, class T>
struct placed_type {
    using type = T;
};
template <class Places, class List>
struct placed_types;
template <int... Place, class... Types>
struct placed_types<std::integer_sequence<int, Place...>, element_list<Types...>> : placed_type<Place, Types>... {};
using placed_element_types = placed_types<std::make_integer_sequence<int, element_type_count>, element_cpp_types>;

template <int Place, class T>
placed_type<Place, T> find_placed(const placed_type<Place, T>*);

template <class T, class... Types>
constexpr data_type place_in(element_list<Types...>) {
    static_assert(sizeof...(Types) == element_type_count);
    int place = 0;
    const bool is_there = ((std::is_same_v<T, Types> || (++place, false)) || ...);
    return is_there ? static_cast<data_type>(place) : data_type::undef;
}
template <class T>
inline constexpr data_type place_of = place_in<T>(element_cpp_types());
}  // namespace detail

/// The element type that a C++ type holds, or undef if it holds none.
template <class T>
inline constexpr data_type data_type_of = detail::place_of<T>;

/// The C++ type that holds elements of a type: bfloat16 for data_type::bf16.
///
/// Pre:     Type is an enumerator, and not undef
/// Post:    data_type_of<element_type_of<Type>> == Type
template <data_type Type>
    requires(Type != data_type::undef)
using element_type_of = typename decltype(detail::find_placed<static_cast<int>(Type)>(
    static_cast<detail::placed_element_types*>(nullptr)))::type;

/// A C++ type that holds elements.
template <class T>
concept element = (data_type_of<T> != data_type::undef);

namespace detail {
/// A C++ type of elements that are smaller than a byte: in memory several share one.
template <class T>
concept packed_element = element<T> && is_packed(data_type_of<T>);

/// The type of the memory that holds elements of type T: T itself, or std::byte if elements are smaller than a byte.
template <element T>
using memory_of = std::conditional_t<packed_element<T>, std::byte, T>;
}  // namespace detail

/// Calls what(T{}), where T is the C++ type that holds elements of the given type.
///
/// Pre:     type is an enumerator, and not undef
template <class What>
constexpr decltype(auto) with_element_type(data_type type, What what) {
    using enum data_type;
    switch (type) {
        case f64: return what(element_type_of<f64>{});
        case bf16: return what(element_type_of<bf16>{});
        case f16: return what(element_type_of<f16>{});
        case f8_e5m2: return what(element_type_of<f8_e5m2>{});
        case f8_e4m3: return what(element_type_of<f8_e4m3>{});
        case s32: return what(element_type_of<s32>{});
        case s8: return what(element_type_of<s8>{});
        case u8: return what(element_type_of<u8>{});
        case u1: return what(element_type_of<u1>{});
        case u2: return what(element_type_of<u2>{});
        case u4: return what(element_type_of<u4>{});
        case s4: return what(element_type_of<s4>{});
        case f4_e2m1: return what(element_type_of<f4_e2m1>{});
        case f4_e3m0: return what(element_type_of<f4_e3m0>{});
        case f6_e2m3: return what(element_type_of<f6_e2m3>{});
        case f6_e3m2: return what(element_type_of<f6_e3m2>{});
        case e8m0: return what(element_type_of<e8m0>{});
        case ue4m3: return what(element_type_of<ue4m3>{});
        case boolean: return what(element_type_of<boolean>{});
        case undef: [[fallthrough]];
        case f32: break;
    }
    return what(float{});
}

/// Returns the data type with a name, or an empty optional if there is none. Names are case-sensitive.
///
/// Pre:     none; any text
/// Post:    parse_data_type(to_string(type)) == type
/// Cost:    one comparison per name
/// Source:  the names are oneDNN's
/// Example: parse_data_type("bf16") == data_type::bf16
[[nodiscard]] constexpr std::optional<data_type> parse_data_type(std::string_view text) {
    for (int i = 0; i < detail::element_type_count; ++i)
        if (text == detail::element_types[i].name) return static_cast<data_type>(i);
    return std::nullopt;
}

}  // namespace plait
