#include <plait/core/small_integers.hpp>

#include "support/static_check.hpp"

#include <plait/contract/convert.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace test_core_small_integers { namespace {

using namespace plait;
using namespace plait::detail;

/// Checks each number of a type: its bits, back from its bits, and the nearest bound of numbers beyond.
template <class Small>
constexpr bool holds(int lowest, int largest, int bits) {
    if (Small::lowest != lowest || Small::largest != largest) return false;
    for (int i = lowest; i <= largest; ++i) {
        const Small x(i);
        if (static_cast<int>(x) != i || static_cast<double>(x) != i || x.bits >> bits != 0) return false;
        if (Small::from_bits(x.bits) != x || convert<Small>(static_cast<float>(i)) != x) return false;
        if (convert<std::int32_t>(x) != i || convert<Small>(std::int32_t{i}) != x) return false;
    }
    const Small low(lowest), high(largest);
    return Small(lowest - 1) == low && Small(largest + 1) == high && Small(std::numeric_limits<int>::min()) == low &&
           Small(std::numeric_limits<std::int64_t>::max()) == high &&
           Small(std::numeric_limits<std::uint64_t>::max()) == high && Small(0u) == Small(0) &&
           convert<Small>(1e30f) == high && convert<Small>(-1e30f) == low &&
           convert<Small>(static_cast<float>(largest) + 0.25f) == high;
}

template <class Small>
constexpr bool is_plain_data = std::is_trivial_v<Small>&& std::is_standard_layout_v<Small> && sizeof(Small) == 1;

TEST_CASE("small integers: each number, its bits, and the nearest bound of the others") {
    STATIC_CHECK(holds<u1>(0, 1, 1));
    STATIC_CHECK(holds<u2>(0, 3, 2));
    STATIC_CHECK(holds<u4>(0, 15, 4));
    STATIC_CHECK(holds<s4>(-8, 7, 4));
    STATIC_CHECK(s4(-1).bits == 15 && s4(-8).bits == 8 && s4(7).bits == 7);
    STATIC_CHECK(is_plain_data<u1> && is_plain_data<u2> && is_plain_data<u4> && is_plain_data<s4>);
}

TEST_CASE("small integers: only the lowest bits of a byte count") {
    STATIC_CHECK(u4::from_bits(0xf3) == u4(3));
    STATIC_CHECK(u4::from_bits(0xf3).bits == 3);
    STATIC_CHECK(s4::from_bits(0x7f) == s4(-1));
    STATIC_CHECK(u1::from_bits(0xfe) == u1(0));
}

TEST_CASE("small integers: conversions are explicit, and never from bool") {
    STATIC_CHECK(!std::is_convertible_v<int, u4> && !std::is_convertible_v<u4, int>);
    STATIC_CHECK(!std::is_constructible_v<u4, bool> && !std::is_constructible_v<u4, float>);
    STATIC_CHECK(std::is_constructible_v<float, s4> && std::is_constructible_v<s4, long>);
}

TEST_CASE("small integers: fractions round to even, and NaN becomes the bound that hardware gives") {
    STATIC_CHECK(convert<u4>(2.5f) == u4(2));
    STATIC_CHECK(convert<u4>(3.5f) == u4(4));
    STATIC_CHECK(convert<s4>(-2.5f) == s4(-2));
    STATIC_CHECK(convert<s4>(-7.5f) == s4(-8));
    STATIC_CHECK(convert<u2>(0.5f) == u2(0));
    constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
    STATIC_CHECK(convert<s4>(not_a_number) == s4(-8));
    STATIC_CHECK(convert<u4>(not_a_number) == u4(15));
    STATIC_CHECK(convert<u1>(not_a_number) == u1(1));
}

TEST_CASE("boolean: every number but 0 is true, and so is every byte") {
    STATIC_CHECK(static_cast<int>(boolean(2.0f)) == 1);
    STATIC_CHECK(static_cast<int>(boolean(-0.0)) == 0);
    STATIC_CHECK(boolean(std::numeric_limits<double>::quiet_NaN()) == boolean(true));
    STATIC_CHECK(boolean::from_bits(2) == boolean(true));
    STATIC_CHECK(boolean::from_bits(2).bits == 2);
    STATIC_CHECK(convert<float>(boolean::from_bits(0x80)) == 1.0f);
    STATIC_CHECK(convert<boolean>(0.25f) == boolean(1));
    STATIC_CHECK(convert<boolean>(std::int8_t{-3}) == boolean(1));
    STATIC_CHECK(convert<u4>(boolean(true)) == u4(1));
    STATIC_CHECK(is_plain_data<boolean>);
}

TEST_CASE("limits_of: the least and the largest number") {
    STATIC_CHECK(limits_of<s4>().low == -8 && limits_of<s4>().high == 7 && limits_of<s4>().is_signed);
    STATIC_CHECK(limits_of<u1>().high == 1 && !limits_of<u1>().is_signed);
    STATIC_CHECK(limits_of<boolean>().high == 1);
    STATIC_CHECK(limits_of<std::int32_t>().low == -2147483648.0);
    STATIC_CHECK(integer_type<u2> && integer_type<boolean> && integer_type<std::uint8_t> && !integer_type<float>);
}

}}  // namespace test_core_small_integers
