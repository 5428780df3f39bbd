#pragma once
// The C++ types that hold elements; element_types.hpp has the table of their names and sizes. Conversions between them:
// contract/convert.hpp.

#include <plait/core/element_types.hpp>
#include <plait/core/float_format.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace plait {
namespace detail {
/// The common base of the floating-point types that C++20 lacks: holds their bits, and is trivial as float is. They
/// have no arithmetic. They convert explicitly from and to float and double, and compare by their bits.
///
/// A number becomes the nearest one, ties to even. A number that is too large becomes infinity, or NaN if the type has
/// no infinity. Construction from an integer does not compile, because it could mean a number or bits. For bits, use
/// from_bits and `bits`.
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

namespace detail {
template <class... Types>
struct element_list {};
template <int Place, class First, class... Rest>
struct element_at : element_at<Place - 1, Rest...> {};
template <class First, class... Rest>
struct element_at<0, First, Rest...> {
    using type = First;
};

/// The C++ types of the rows of element_types.
using element_cpp_types = element_list<void, double, float, bfloat16, float16, float8_e5m2, float8_e4m3, std::int32_t,
                                       std::int8_t, std::uint8_t>;

template <data_type Type, class... Types>
element_at<static_cast<int>(Type), Types...> holder_in(element_list<Types...>);

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
using element_type_of = typename decltype(detail::holder_in<Type>(detail::element_cpp_types()))::type;

/// A C++ type that holds elements.
template <class T>
concept element = (data_type_of<T> != data_type::undef);

/// Calls what(T{}), where T is the C++ type that holds elements of the given type.
///
/// Pre:     type is an enumerator, and not undef
template <class What>
constexpr decltype(auto) with_element_type(data_type type, What what) {
    switch (type) {
        case data_type::f64: return what(double{});
        case data_type::bf16: return what(bfloat16{});
        case data_type::f16: return what(float16{});
        case data_type::f8_e5m2: return what(float8_e5m2{});
        case data_type::f8_e4m3: return what(float8_e4m3{});
        case data_type::s32: return what(std::int32_t{});
        case data_type::s8: return what(std::int8_t{});
        case data_type::u8: return what(std::uint8_t{});
        case data_type::f32:
        case data_type::undef: break;
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
