#pragma once
// The element types, and the C++ types that hold them. What they convert to: reorder/convert.hpp.

#include <plait/version.hpp>

#include <cstdint>

namespace plait {

enum class data_type { undef, f64, f32, bf16, f16, f8_e5m2, f8_e4m3, s32, s8, u8 };

/// Floating-point numbers that C++20 has no type for, as their bits; trivial, as float is.
struct bfloat16 {
    std::uint16_t bits;
    constexpr bool operator==(const bfloat16&) const = default;
};
struct float16 {
    std::uint16_t bits;
    constexpr bool operator==(const float16&) const = default;
};
struct float8_e5m2 {
    std::uint8_t bits;
    constexpr bool operator==(const float8_e5m2&) const = default;
};
struct float8_e4m3 {
    std::uint8_t bits;
    constexpr bool operator==(const float8_e4m3&) const = default;
};

/// The element type that a C++ type holds; undef if none.
template <class T>
inline constexpr data_type data_type_of = data_type::undef;
template <>
inline constexpr data_type data_type_of<double> = data_type::f64;
template <>
inline constexpr data_type data_type_of<float> = data_type::f32;
template <>
inline constexpr data_type data_type_of<bfloat16> = data_type::bf16;
template <>
inline constexpr data_type data_type_of<float16> = data_type::f16;
template <>
inline constexpr data_type data_type_of<float8_e5m2> = data_type::f8_e5m2;
template <>
inline constexpr data_type data_type_of<float8_e4m3> = data_type::f8_e4m3;
template <>
inline constexpr data_type data_type_of<std::int32_t> = data_type::s32;
template <>
inline constexpr data_type data_type_of<std::int8_t> = data_type::s8;
template <>
inline constexpr data_type data_type_of<std::uint8_t> = data_type::u8;

/// A C++ type that holds elements.
template <class T>
concept element = data_type_of<T>
!= data_type::undef;

/// The size of one element, in bytes; 0 for undef.
constexpr int size_in_bytes(data_type type) {
    switch (type) {
        case data_type::undef: return 0;
        case data_type::f64: return 8;
        case data_type::f32:
        case data_type::s32: return 4;
        case data_type::bf16:
        case data_type::f16: return 2;
        case data_type::f8_e5m2:
        case data_type::f8_e4m3:
        case data_type::s8:
        case data_type::u8: return 1;
    }
    return 0;
}

constexpr const char* name(data_type type) {
    constexpr const char* names[] = {"undef", "f64", "f32", "bf16", "f16", "f8_e5m2", "f8_e4m3", "s32", "s8", "u8"};
    const auto place = static_cast<unsigned>(type);
    return names[place < sizeof(names) / sizeof(names[0]) ? place : 0];
}

}  // namespace plait
