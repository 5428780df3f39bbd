#include <plait/core/float_format.hpp>

#include "support/static_check.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace test_core_float_format { namespace {

using plait::detail::decode, plait::detail::encode, plait::detail::float_format;

// Formats of four bits: a sign, two bits of exponent and one of mantissa. Their bias is 1, so that the bits 0 to 5 are
// 0, 0.5 (subnormal), 1, 1.5, 2 and 3. Bits 6 are infinity in one format, and 4 in the other; bits 7 are a NaN.
constexpr float_format with_infinity{2, 1, true, 7}, without_infinity{2, 1, false, 7};
constexpr float_format f16{5, 10, true, 0x7e00}, bf16{8, 7, true, 0x7fc0}, f8_e4m3{4, 3, false, 0x7f};
// Without infinity and NaN: the bits of the largest number take the place of the NaN.
constexpr float_format without_nan{2, 1, false, 7, false}, without_mantissa{3, 0, false, 7, false};
constexpr float_format f6{3, 2, false, 31, false}, without_sign{4, 3, false, 0x7f, true, false};

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double least_above_one = 1 + 0x1p-52, most_below_one = 1 - 0x1p-53;  // neighbours of 1 in f64

constexpr bool is_nan(double x) { return x != x; }
/// Compares two numbers in all of their bits, so that 0 and -0 differ.
constexpr bool same(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

TEST_CASE("float_format: the bits that have a name") {
    STATIC_CHECK(with_infinity.bias() == 1);
    STATIC_CHECK(with_infinity.infinity() == 6);
    STATIC_CHECK(with_infinity.largest() == 5);
    STATIC_CHECK(without_infinity.largest() == 6);
    STATIC_CHECK(without_infinity.sign() == 8);
    STATIC_CHECK(f16.bias() == 15);
    STATIC_CHECK(f16.infinity() == 0x7c00);
    STATIC_CHECK(f16.largest() == 0x7bff);
    STATIC_CHECK(f16.sign() == 0x8000);
    STATIC_CHECK(bf16.bias() == 127);
    STATIC_CHECK(bf16.infinity() == 0x7f80);
    STATIC_CHECK(f8_e4m3.bias() == 7);
    STATIC_CHECK(f8_e4m3.largest() == 0x7e);
}

TEST_CASE("decode: the value of each pattern of four bits") {
    constexpr double values[] = {0, 0.5, 1, 1.5, 2, 3};
    for (std::uint32_t bits = 0; bits < 6; ++bits) {
        for (const float_format& f : {with_infinity, without_infinity}) {
            CHECK(same(decode(f, bits), values[bits]));
            CHECK(same(decode(f, bits | 8), -values[bits]));
        }
    }
    STATIC_CHECK(decode(with_infinity, 6) == infinity);
    STATIC_CHECK(decode(with_infinity, 14) == -infinity);
    STATIC_CHECK(decode(without_infinity, 6) == 4);
    STATIC_CHECK(decode(without_infinity, 14) == -4);
    for (const float_format& f : {with_infinity, without_infinity}) {
        CHECK(is_nan(decode(f, 7)));
        CHECK(is_nan(decode(f, 15)));
    }
}

TEST_CASE("decode: smallest and largest numbers of the formats that plait has") {
    STATIC_CHECK(decode(f16, 1) == 0x1p-24);
    STATIC_CHECK(decode(f16, 0x0400) == 0x1p-14);
    STATIC_CHECK(decode(f16, 0x7bff) == 65504);
    STATIC_CHECK(decode(bf16, 1) == 0x1p-133);
    STATIC_CHECK(decode(bf16, 0x7f7f) == 0x1.fep127);
    STATIC_CHECK(decode(f8_e4m3, 1) == 0x1p-9);
    STATIC_CHECK(decode(f8_e4m3, 0x7e) == 448);
    STATIC_CHECK(is_nan(decode(f8_e4m3, 0x7f)));
}

TEST_CASE("encode: returns the nearest number, and the even one of two that are equally near") {
    // Between neighbours: the middle, and the nearest f64 on both sides of it.
    const auto check = [](const float_format& f, double middle, std::uint32_t below, std::uint32_t tie,
                          std::uint32_t above) {
        for (const double sign : {1.0, -1.0}) {
            const std::uint32_t s = sign < 0 ? f.sign() : 0;
            CHECK(encode(f, sign * middle * most_below_one) == (below | s));
            CHECK(encode(f, sign * middle) == (tie | s));
            CHECK(encode(f, sign * middle * least_above_one) == (above | s));
        }
    };
    check(with_infinity, 0.25, 0, 0, 1);
    check(with_infinity, 0.75, 1, 2, 2);  // from the subnormal number to the smallest normal one
    check(with_infinity, 1.25, 2, 2, 3);
    check(with_infinity, 1.75, 3, 4, 4);  // carries into the exponent
    check(with_infinity, 2.5, 4, 4, 5);
    check(with_infinity, 3.5, 5, 6, 6);  // to infinity
    check(without_infinity, 3.5, 5, 6, 6);
    check(without_infinity, 5, 6, 6, 7);  // beyond 4, the largest number: NaN
    check(f16, 0x1p-25, 0, 0, 1);
    check(f16, 65520, 0x7bff, 0x7c00, 0x7c00);
    check(bf16, 1 + 0x1p-8, 0x3f80, 0x3f80, 0x3f81);
    check(f8_e4m3, 464, 0x7e, 0x7e, 0x7f);
    check(without_nan, 3.5, 5, 6, 6);
    check(without_nan, 5, 6, 6, 7);
    check(without_nan, 7, 7, 7, 7);           // beyond 6, the largest number: 6
    check(without_mantissa, 0.125, 0, 0, 1);  // between 0 and 0.25, of which 0 is even
    check(without_mantissa, 0.75, 2, 2, 3);   // between 0.5 and 1: 2 is even
    check(without_mantissa, 1.5, 3, 4, 4);
    check(without_mantissa, 24, 7, 7, 7);
    check(f6, 0.03125, 0, 0, 1);
    check(f6, 26, 30, 30, 31);
}

TEST_CASE("encode: zeros, numbers too small, infinities and NaN") {
    for (const float_format& f : {with_infinity, without_infinity, f16, bf16, f8_e4m3}) {
        for (const double small : {0.0, 0x1p-200, 0x1p-1022, 0x1p-1074}) {
            CHECK(encode(f, small) == 0);
            CHECK(encode(f, -small) == f.sign());
        }
        CHECK(encode(f, not_a_number) == f.quiet_nan);
        const std::uint32_t too_large = f.has_infinity ? f.infinity() : f.quiet_nan;
        for (const double large : {0x1p200, std::numeric_limits<double>::max(), infinity}) {
            CHECK(encode(f, large) == too_large);
            CHECK(encode(f, -large) == (too_large | f.sign()));
        }
    }
}

TEST_CASE("float_format: without NaN, NaN and infinity become the largest number; without a sign, -1 becomes 0") {
    for (const float_format& f : {without_nan, without_mantissa, f6}) {
        CHECK(f.largest() == f.sign() - 1);
        CHECK(encode(f, not_a_number) == f.largest());
        CHECK(encode(f, infinity) == f.largest());
        CHECK(encode(f, -infinity) == (f.largest() | f.sign()));
        CHECK(!is_nan(decode(f, f.largest())));
    }
    STATIC_CHECK(decode(without_nan, 7) == 6 && decode(without_mantissa, 7) == 16 && decode(f6, 31) == 28);
    STATIC_CHECK(encode(without_sign, -1.0) == 0 && encode(without_sign, -infinity) == 0);
    STATIC_CHECK(encode(without_sign, 448.0) == 0x7e && encode(without_sign, 1e9) == 0x7f);
    STATIC_CHECK(encode(without_sign, not_a_number) == 0x7f);
}

TEST_CASE("encode: returns the bits of every number that the format has") {
    for (const float_format& f :
         {with_infinity, without_infinity, f16, bf16, f8_e4m3, without_nan, without_mantissa, f6}) {
        int wrong = 0;
        for (std::uint32_t bits = 0; bits < 2 * f.sign(); ++bits) {
            const double value = decode(f, bits);
            wrong += !is_nan(value) && encode(f, value) != bits;
        }
        CHECK(wrong == 0);
    }
}

}}  // namespace test_core_float_format
