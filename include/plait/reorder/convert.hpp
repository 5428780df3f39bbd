#pragma once
// Converting one element: through f32, or f64 where either side is f64; integers to integers exactly. Rounds to nearest
// even, saturates integers.

#include <plait/core/data_type.hpp>

#include <bit>
#include <type_traits>

namespace plait {

/// The bits of a floating-point format of sign, exponent and mantissa.
struct float_format {
    int exponent_bits, mantissa_bits;
    bool has_infinity;  // f8_e4m3 has none: the largest exponent holds numbers, and one NaN
    std::uint32_t quiet_nan;

    constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << mantissa_bits; }
    constexpr std::uint32_t largest() const { return has_infinity ? infinity() - 1 : quiet_nan - 1; }
    constexpr std::uint32_t sign() const { return 1u << (exponent_bits + mantissa_bits); }
};

template <class T>
inline constexpr float_format float_format_of{};
template <>
inline constexpr float_format float_format_of<bfloat16>{8, 7, true, 0x7fc0};
template <>
inline constexpr float_format float_format_of<float16>{5, 10, true, 0x7e00};
template <>
inline constexpr float_format float_format_of<float8_e5m2>{5, 2, true, 0x7e};
template <>
inline constexpr float_format float_format_of<float8_e4m3>{4, 3, false, 0x7f};
template <class T>
inline constexpr bool is_small_float = float_format_of<T>.exponent_bits > 0 && sizeof(T) == 1;

/// The number nearest to x, ties to even. What is too large becomes infinity, or NaN where there is none (OCP, not
/// saturating).
constexpr std::uint32_t encode(const float_format& f, double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint32_t sign = bits >> 63 != 0 ? f.sign() : 0;
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased == 0x7ff && fraction != 0) return f.quiet_nan;
    const std::uint32_t too_large = f.has_infinity ? f.infinity() : f.quiet_nan;
    if (biased == 0x7ff) return sign | too_large;
    if (biased == 0) return sign;  // below half of every format's smallest number

    const int exponent = biased - 1023;
    const int smallest = 1 - f.bias();  // exponent of the smallest normal number
    const bool subnormal = exponent < smallest;
    const int dropped = 52 - f.mantissa_bits + (subnormal ? smallest - exponent : 0);
    if (dropped > 53) return sign;
    const std::uint64_t significand = fraction | std::uint64_t{1} << 52;
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rest = significand & (2 * half - 1);
    std::uint64_t rounded = significand >> dropped;
    if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
    // Rounding up may carry into the exponent, which is what should happen.
    const std::uint64_t magnitude =
        subnormal ? rounded : (static_cast<std::uint64_t>(exponent + f.bias() - 1) << f.mantissa_bits) + rounded;
    return sign | (magnitude > f.largest() ? too_large : static_cast<std::uint32_t>(magnitude));
}

/// The value of the bits; exact.
constexpr double decode(const float_format& f, std::uint32_t bits) {
    const std::uint32_t magnitude = bits & (f.sign() - 1);
    if (magnitude > (f.has_infinity ? f.infinity() : f.largest()))
        return std::bit_cast<double>(std::uint64_t{0x7ff8} << 48);
    const std::uint64_t sign = (bits & f.sign()) != 0 ? std::uint64_t{1} << 63 : 0;
    if (f.has_infinity && magnitude == f.infinity()) return std::bit_cast<double>(sign | std::uint64_t{0x7ff} << 52);
    const int biased = static_cast<int>(magnitude >> f.mantissa_bits);
    double value = magnitude & ((1u << f.mantissa_bits) - 1);
    if (biased != 0) value += 1u << f.mantissa_bits;
    int scale = (biased == 0 ? 1 : biased) - f.bias() - f.mantissa_bits;
    for (; scale > 0; --scale) value *= 2;
    for (; scale < 0; ++scale) value /= 2;
    return sign != 0 ? -value : value;
}

/// The integer nearest to x, ties to even.
///
/// Pre:     |x| < 2^51
constexpr double round_to_even(double x) {
    // Adding 2^52 leaves no bits for a fraction; the addition rounds to nearest even.
    constexpr double shift = 4503599627370496.0;
    return x < 0 ? (x - shift) + shift : (x + shift) - shift;
}

/// x as an integer type, saturated; NaN gives the bound that the hardware conversions give.
template <class To>
constexpr To saturate(double x, double low, double high) {
    if (x != x) return static_cast<To>(std::is_same_v<To, std::uint8_t> ? high : low);
    if (x <= low) return static_cast<To>(low);
    if (x >= high) return static_cast<To>(high);
    return static_cast<To>(round_to_even(x));
}

/// One element as another type.
///
/// Post:    nearest even; integers saturate; f32 -> s32 saturates at 2147483520, the largest f32 below 2^31
/// Source:  spec semantics 12
template <element To, element From>
constexpr To convert(From from) {
    if constexpr (std::is_same_v<To, From>) {
        return from;
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        const std::int64_t low = std::is_same_v<To, std::uint8_t>  ? 0
                                 : std::is_same_v<To, std::int8_t> ? -128
                                                                   : INT32_MIN;
        const std::int64_t high = std::is_same_v<To, std::uint8_t>  ? 255
                                  : std::is_same_v<To, std::int8_t> ? 127
                                                                    : INT32_MAX;
        return static_cast<To>(from < low ? low : from > high ? high : from);
    } else {
        double value;
        if constexpr (std::is_arithmetic_v<From>) value = static_cast<double>(from);
        else value = decode(float_format_of<From>, from.bits);
        // An s32 passes through f32, as everything does where no f64 takes part.
        if constexpr (!std::is_same_v<From, double> && !std::is_same_v<To, double>) value = static_cast<float>(value);

        if constexpr (std::is_floating_point_v<To>) return static_cast<To>(value);
        else if constexpr (std::is_same_v<To, std::int32_t>)
            return saturate<To>(value, -2147483648.0, std::is_same_v<From, double> ? 2147483647.0 : 2147483520.0);
        else if constexpr (std::is_same_v<To, std::int8_t>) return saturate<To>(value, -128, 127);
        else if constexpr (std::is_same_v<To, std::uint8_t>) return saturate<To>(value, 0, 255);
        else return To{static_cast<decltype(To::bits)>(encode(float_format_of<To>, value))};
    }
}

}  // namespace plait
