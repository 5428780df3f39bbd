#pragma once
// The set of numbers that a tensor may hold: those of an element type, or the results of exact arithmetic on them.

#include <plait/core/data_type.hpp>

#include <bit>
#include <limits>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A set of numbers, described by what decides if a type represents all of them exactly.
///
/// Example: values_of(data_type::f16) has 11 digits, multiples of 2^-24, from -65504 to 65504, -0, infinity and NaN
struct value_set {
    bool is_integer = false;  ///< true for an integer type: no fractions, -0, infinity or NaN
    int digits = 0;           ///< binary digits from the first 1 to the last
    int last_digit = 0;       ///< every number is a multiple of 2^last_digit
    double low = 0, high = 0;
    bool has_negative_zero = false, has_infinity = false, has_nan = false;
};

/// Returns the numbers of an element type, from its format or its limits.
template <element T>
constexpr value_set values_of_type() {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, boolean> || small_integer_type<T>) {
        constexpr integer_limits of = limits_of<T>();
        return {true, std::bit_width(static_cast<unsigned>(of.high)), 0, of.low, of.high};
    } else if constexpr (std::is_same_v<T, float8_e8m0>) {
        return {false, 1, -127, 0x1p-127, 0x1p127, false, false, true};
    } else if constexpr (std::is_integral_v<T>) {
        // -128 has one binary digit, so that 7 digits are enough for all numbers of s8.
        return {true, limits::digits, 0, static_cast<double>((limits::min)()), static_cast<double>((limits::max)())};
    } else if constexpr (limits::is_specialized) {
        return {
            false, limits::digits, limits::min_exponent - limits::digits, limits::lowest(), (limits::max)(), true, true,
            true};
    } else {
        constexpr float_format f = T::format;
        constexpr double high = decode(f, f.largest());
        return {false,
                f.mantissa_bits + 1,
                1 - f.bias() - f.mantissa_bits,
                f.has_sign ? -high : 0,
                high,
                f.has_sign,
                f.has_infinity,
                f.has_nan};
    }
}

/// Returns the numbers of an element type that is known at run time.
///
/// Pre:     type is an enumerator other than undef
constexpr value_set values_of(data_type type) {
    return with_element_type(type, []<class T>(T) { return values_of_type<T>(); });
}

/// How a type fails to represent numbers: it has too few digits, or they are outside its range.
enum class type_loss { none, rounds, saturates };

/// Returns what a conversion of these numbers to a type may lose.
///
/// Post:    none only if the type represents each of them exactly, including -0 and infinity, and NaN as a NaN
/// Example: loss_in(values_of(data_type::s32), data_type::f32) == type_loss::rounds: 2^24 + 1 becomes 2^24
constexpr type_loss loss_in(const value_set& values, data_type type) {
    const value_set holds = values_of(type);
    if (values.last_digit < holds.last_digit || (values.has_negative_zero && !holds.has_negative_zero))
        return type_loss::rounds;
    // An integer type has enough digits for all integers in its range.
    if (!holds.is_integer && values.digits > holds.digits) return type_loss::rounds;
    const bool in_range = values.low >= holds.low && values.high <= holds.high;
    const bool has_others = (values.has_infinity && !holds.has_infinity) || (values.has_nan && !holds.has_nan);
    return in_range && !has_others ? type_loss::none : type_loss::saturates;
}

/// Returns the exponent of the first digit of a number that is not 0: 7 for 128 to 255.
///
/// Pre:     x is finite and not subnormal
constexpr int exponent_of(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023; }

/// True if x is 2^k for some k, and neither x nor its reciprocal is subnormal.
constexpr bool is_power_of_two(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return bits >> 31 == 0 && bits << 9 == 0 && bits >> 23 != 0 && bits >> 23 < 0xfe;
}

/// Returns the numbers multiplied by a power of two, without rounding.
///
/// Pre:     factor is a power of two, such as a product of few float powers of two
constexpr value_set times_power_of_two(value_set values, double factor) {
    values.last_digit += exponent_of(factor);
    // Overflow is not a constant expression. Numbers beyond f64 fit into no type.
    constexpr double most = (std::numeric_limits<double>::max)();
    const bool too_large = factor > 1 && (values.high > most / factor || values.low < -most / factor);
    values.low = too_large ? -most : values.low * factor;
    values.high = too_large ? most : values.high * factor;
    if (too_large) values.digits = std::numeric_limits<double>::digits + 1;
    values.is_integer = false;
    return values;
}

/// Returns the numbers minus an integer, without rounding. The digits range from the first of the largest number to the
/// last of any number: 200 - 0.25 has 10.
///
/// Post:    the same set if the integer is zero; otherwise no -0, because the difference of equal numbers is +0
constexpr value_set minus_integer(value_set values, std::int64_t zero_point) {
    if (zero_point == 0) return values;
    const int last = std::countr_zero(static_cast<std::uint64_t>(zero_point));
    if (values.last_digit > last) values.last_digit = last;
    values.low -= static_cast<double>(zero_point);
    values.high -= static_cast<double>(zero_point);
    const double largest = -values.low > values.high ? -values.low : values.high;
    // 2^k has one binary digit, and the numbers below it have k.
    const bool is_power = std::bit_cast<std::uint64_t>(largest) << 12 == 0;
    values.digits = exponent_of(largest) + (is_power ? 0 : 1) - values.last_digit;
    values.has_negative_zero = false;
    values.is_integer = false;
    return values;
}

}  // namespace plait::detail
