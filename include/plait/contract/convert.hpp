#pragma once
// Converts one element through f32, or through f64 if either type is f64; integers to integers exactly. Rounds to
// nearest even and saturates integers. What smaller floats do beyond their largest number: float_format.hpp.

#include <plait/core/data_type.hpp>

#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True if a type is a floating-point type of 8 bits.
template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, float8_e5m2> || std::is_same_v<T, float8_e4m3>;

/// Returns the integer nearest to x; ties go to even.
///
/// Pre:     |x| < 2^51
constexpr double round_to_even(double x) {
    // Adding 2^52 leaves no bits for a fraction; the addition rounds to nearest even.
    constexpr double shift = 4503599627370496.0;
    return x < 0 ? (x - shift) + shift : (x + shift) - shift;
}

/// Converts x to an integer type and saturates it. NaN becomes the bound that the hardware conversions return; as a
/// truth value it is true.
template <integer_type To>
constexpr To saturate(double x, double low, double high) {
    if constexpr (std::is_same_v<To, boolean>) return boolean(x);
    else {
        const auto to = [](double number) { return static_cast<To>(static_cast<std::int32_t>(number)); };
        if (x != x) return to(limits_of<To>().is_signed ? low : high);
        if (x <= low) return to(low);
        if (x >= high) return to(high);
        return to(round_to_even(x));
    }
}
}  // namespace detail

/// Converts one element to another type.
///
/// Pre:     none; any number, including NaN and infinities
/// Post:    rounded to nearest even; integers saturate; f32 -> s32 saturates at 2147483520, the largest f32 below 2^31
/// Cost:    O(1) steps; no table, no allocation
/// Source:  spec semantics 12
/// Example: convert<std::int8_t>(2.5f) == 2, convert<std::int8_t>(300.0f) == 127, convert<float>(std::uint8_t{7}) == 7
template <element To, element From>
constexpr To convert(From from) {
    if constexpr (std::is_same_v<To, From>) {
        return from;
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        constexpr detail::integer_limits to = detail::limits_of<To>();
        constexpr auto low = static_cast<std::int64_t>(to.low), high = static_cast<std::int64_t>(to.high);
        const std::int64_t x = from;  // EDG warns if an unsigned number is compared with a negative one
        return static_cast<To>(x < low ? low : x > high ? high : x);
    } else if constexpr (detail::integer_type<From> && detail::integer_type<To>) {
        constexpr detail::integer_limits to = detail::limits_of<To>();
        return detail::saturate<To>(static_cast<double>(from), to.low, to.high);
    } else {
        double value = static_cast<double>(from);
        // An s32 is converted through f32, as every type is if neither side is f64.
        if constexpr (!std::is_same_v<From, double> && !std::is_same_v<To, double>) value = static_cast<float>(value);

        if constexpr (std::is_same_v<To, std::int32_t>)
            return detail::saturate<To>(value, -2147483648.0,
                                        std::is_same_v<From, double> ? 2147483647.0 : 2147483520.0);
        else if constexpr (detail::integer_type<To>) {
            constexpr detail::integer_limits to = detail::limits_of<To>();
            return detail::saturate<To>(value, to.low, to.high);
        } else return static_cast<To>(value);
    }
}

}  // namespace plait
