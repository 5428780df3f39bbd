#include "support/static_check.hpp"

#include <plait/contract/convert.hpp>

#include <cmath>
#include <limits>

namespace test_contract_convert { namespace {

using namespace plait;
using namespace plait::detail;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Checks that every bit pattern of a number is unchanged after conversion to f32 or f64 and back.
template <class Small>
constexpr bool round_trips(std::uint32_t patterns, std::uint32_t step) {
    constexpr float_format f = Small::format;
    for (std::uint32_t bits = 0; bits < patterns; bits += step) {
        const auto value = Small::from_bits(static_cast<decltype(Small::bits)>(bits));
        const auto wide = convert<float>(value);
        if (wide != wide) {
            if (convert<Small>(wide).bits != f.quiet_nan) return false;
        } else if (convert<Small>(wide) != value || convert<Small>(convert<double>(value)) != value) {
            return false;
        }
    }
    return true;
}

/// Checks that the middle of two neighbours rounds to the even one, and numbers just above and below it to the nearer.
template <class Small>
bool rounds_to_nearest_even(std::uint32_t largest) {
    for (std::uint32_t bits = 0; bits < largest; ++bits) {
        const double low = decode(Small::format, bits), high = decode(Small::format, bits + 1);
        const double middle = (low + high) / 2;
        const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
        if (encode(Small::format, middle) != even) return false;
        if (encode(Small::format, std::nextafter(middle, low)) != bits) return false;
        if (encode(Small::format, std::nextafter(middle, high)) != bits + 1) return false;
        if (encode(Small::format, -middle) != (even | Small::format.sign())) return false;
    }
    return true;
}

TEST_CASE("convert: numbers of the small formats are unchanged after conversion to f32 or f64 and back") {
    STATIC_CHECK(round_trips<float8_e5m2>(256, 1));
    STATIC_CHECK(round_trips<float8_e4m3>(256, 1));
    STATIC_CHECK(round_trips<float8_ue4m3>(128, 1));
    STATIC_CHECK(round_trips<float4_e2m1>(16, 1));
    STATIC_CHECK(round_trips<float4_e3m0>(16, 1));
    STATIC_CHECK(round_trips<float6_e2m3>(64, 1));
    STATIC_CHECK(round_trips<float6_e3m2>(64, 1));
    CHECK(round_trips<bfloat16>(65536, 1));
    CHECK(round_trips<float16>(65536, 1));
}

TEST_CASE("convert: rounds to nearest, ties to even, once") {
    CHECK(rounds_to_nearest_even<bfloat16>(0x7f7f));
    CHECK(rounds_to_nearest_even<float16>(0x7bff));
    CHECK(rounds_to_nearest_even<float8_e5m2>(0x7b));
    CHECK(rounds_to_nearest_even<float8_e4m3>(0x7e));
    CHECK(rounds_to_nearest_even<float4_e2m1>(7));
    CHECK(rounds_to_nearest_even<float4_e3m0>(7));
    CHECK(rounds_to_nearest_even<float6_e2m3>(31));
    CHECK(rounds_to_nearest_even<float6_e3m2>(31));
    // Through f32 this would round twice: 1 + 2^-8 + 2^-40 is above the middle of two bf16 numbers.
    STATIC_CHECK(convert<bfloat16>(1.0 + 0x1p-8 + 0x1p-40).bits == 0x3f81);
    STATIC_CHECK(convert<bfloat16>(1.0f + 0x1p-8f).bits == 0x3f80);
}

TEST_CASE("convert: infinities, NaN and numbers that are too large") {
    STATIC_CHECK(convert<bfloat16>(infinity).bits == 0x7f80 && convert<bfloat16>(-infinity).bits == 0xff80);
    STATIC_CHECK(convert<bfloat16>(not_a_number).bits == 0x7fc0 && convert<float16>(not_a_number).bits == 0x7e00);
    STATIC_CHECK(convert<bfloat16>(std::numeric_limits<float>::max()).bits == 0x7f80);
    STATIC_CHECK(convert<float16>(65519.0f).bits == 0x7bff && convert<float16>(65520.0f).bits == 0x7c00);
    STATIC_CHECK(convert<float8_e4m3>(448.0f).bits == 0x7e && convert<float8_e4m3>(464.0f).bits == 0x7e);
    STATIC_CHECK(convert<float8_e4m3>(465.0f).bits == 0x7f && convert<float8_e5m2>(infinity).bits == 0x7c);
    STATIC_CHECK(convert<float16>(-0.0f).bits == 0x8000 && convert<float16>(1e-30f).bits == 0);
    STATIC_CHECK(convert<float16>(0x1p-24f).bits == 1 && convert<float16>(0x1p-25f).bits == 0);
}

TEST_CASE("convert: results that are integers round to even and saturate; NaN gives the limit that hardware gives") {
    STATIC_CHECK(convert<std::int8_t>(2.5f) == 2 && convert<std::int8_t>(3.5f) == 4 &&
                 convert<std::int8_t>(-2.5f) == -2);
    STATIC_CHECK(convert<std::int8_t>(127.5f) == 127 && convert<std::int8_t>(-1e9f) == -128 &&
                 convert<std::int8_t>(not_a_number) == -128);
    STATIC_CHECK(convert<std::uint8_t>(-3.0f) == 0 && convert<std::uint8_t>(255.4f) == 255 &&
                 convert<std::uint8_t>(not_a_number) == 255);
    STATIC_CHECK(convert<std::int32_t>(3e9f) == 2147483520 && convert<std::int32_t>(-3e9f) == INT32_MIN);
    STATIC_CHECK(convert<std::int32_t>(not_a_number) == INT32_MIN && convert<std::int32_t>(3e9) == INT32_MAX);
    STATIC_CHECK(convert<std::int32_t>(2147483646.5) == 2147483646);
}

TEST_CASE("convert: between small types, through f32") {
    STATIC_CHECK(convert<float4_e2m1>(u4(5)).bits == 6);  // between 4 and 6: 4, which is even
    STATIC_CHECK(convert<s4>(float4_e2m1(-1.5f)) == s4(-2));
    STATIC_CHECK(convert<u1>(float4_e2m1(0.5f)) == u1(0));
    STATIC_CHECK(convert<float6_e3m2>(float16(1.1f)).bits == 12);
    STATIC_CHECK(convert<float8_e8m0>(std::int32_t{5}).bits == 129);
    STATIC_CHECK(convert<std::int8_t>(float8_e8m0::from_bits(255)) == -128);
    STATIC_CHECK(convert<boolean>(float4_e2m1::from_bits(8)) == boolean(false));  // -0
    STATIC_CHECK(convert<s4>(std::int32_t{100}) == s4(7));
    STATIC_CHECK(convert<std::uint8_t>(s4(-3)) == 0);
    // Integers stay exact, although f32 has no 2^24 + 1.
    STATIC_CHECK(convert<boolean>(std::int32_t{16777217}) == boolean(true));
}

TEST_CASE("convert: from integers to integers only saturates; from s32 to floats goes through f32") {
    STATIC_CHECK(convert<std::int8_t>(std::uint8_t{200}) == 127 && convert<std::uint8_t>(std::int8_t{-1}) == 0);
    STATIC_CHECK(convert<std::int32_t>(std::uint8_t{200}) == 200 &&
                 convert<std::int8_t>(std::int32_t{INT32_MIN}) == -128);
    STATIC_CHECK(convert<float>(std::int32_t{16777217}) == 16777216.0f);
    STATIC_CHECK(convert<double>(std::int32_t{16777217}) == 16777217.0);
}

}}  // namespace test_contract_convert
