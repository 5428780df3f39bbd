#pragma once
// Floating-point formats that C++20 has no type for: decodes their bits, and rounds numbers to them.

#include <bit>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The bits of a floating-point format with sign, exponent and mantissa.
struct float_format {
    int exponent_bits, mantissa_bits;
    bool has_infinity;        // f8_e4m3 has none: the largest exponent holds numbers and one NaN
    std::uint32_t quiet_nan;  // without NaN: the largest number, which a NaN becomes
    bool has_nan = true;      // f4 and f6 have none
    bool has_sign = true;     // ue4m3 has none: its numbers are not negative

    constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << mantissa_bits; }
    constexpr std::uint32_t largest() const {
        return has_infinity ? infinity() - 1 : has_nan ? quiet_nan - 1 : sign() - 1;
    }
    /// Returns the bits of a number beyond the largest: infinity, NaN without infinity, or the largest without either.
    constexpr std::uint32_t too_large() const { return has_infinity ? infinity() : quiet_nan; }
    constexpr std::uint32_t sign() const { return 1u << (exponent_bits + mantissa_bits); }
};

/// Returns the bits of the number nearest to x; of two, the one whose last bit is 0. If x is too large, returns
/// infinity, or NaN if the format has no infinity, or the largest number if it has neither (OCP MX, f4 and f6). A
/// negative x becomes 0 if the format has no sign.
///
/// Source:  OCP 8-bit floating point 1.0, OCP microscaling formats 1.0; the NaN of formats without one: PTX, cvt
constexpr std::uint32_t encode(const float_format& f, double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint32_t sign = bits >> 63 != 0 ? f.sign() : 0;
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased == 0x7ff && fraction != 0) return f.quiet_nan;
    if (sign != 0 && !f.has_sign) return 0;
    if (biased == 0x7ff) return sign | f.too_large();
    if (biased == 0) return sign;  // less than half of every format's smallest number

    const int exponent = biased - 1023;
    const int smallest = 1 - f.bias();  // exponent of the smallest normal number
    const bool subnormal = exponent < smallest;
    const int dropped = 52 - f.mantissa_bits + (subnormal ? smallest - exponent : 0);
    if (dropped > 53) return sign;
    const std::uint64_t significand = fraction | std::uint64_t{1} << 52;
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rest = significand & (2 * half - 1);
    const std::uint64_t rounded = significand >> dropped;
    std::uint64_t magnitude =
        subnormal ? rounded : (static_cast<std::uint64_t>(exponent + f.bias() - 1) << f.mantissa_bits) + rounded;
    // Rounding up may carry into the exponent, which gives the right result.
    if (rest > half || (rest == half && (magnitude & 1) != 0)) ++magnitude;
    return sign | (magnitude > f.largest() ? f.too_large() : static_cast<std::uint32_t>(magnitude));
}

/// Returns the exact value of the bits.
constexpr double decode(const float_format& f, std::uint32_t bits) {
    const std::uint32_t magnitude = bits & (f.sign() - 1);
    if (f.has_nan && magnitude > (f.has_infinity ? f.infinity() : f.largest()))
        return std::bit_cast<double>(std::uint64_t{0x7ff8} << 48);
    const std::uint64_t sign = f.has_sign && (bits & f.sign()) != 0 ? std::uint64_t{1} << 63 : 0;
    if (f.has_infinity && magnitude == f.infinity()) return std::bit_cast<double>(sign | std::uint64_t{0x7ff} << 52);
    const int biased = static_cast<int>(magnitude >> f.mantissa_bits);
    double value = magnitude & ((1u << f.mantissa_bits) - 1);
    if (biased != 0) value += 1u << f.mantissa_bits;
    int scale = (biased == 0 ? 1 : biased) - f.bias() - f.mantissa_bits;
    for (; scale > 0; --scale) value *= 2;
    for (; scale < 0; ++scale) value /= 2;
    return sign != 0 ? -value : value;
}

}  // namespace plait::detail
