#include <plait/core/data_type.hpp>

#include "support/small_layouts.hpp"

#include <plait/contract/convert.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace test_core_data_type { namespace {

using namespace plait;

TEST_CASE("data_type: each C++ type has one, of its size") {
    STATIC_CHECK(data_type_of<double> == data_type::f64);
    STATIC_CHECK(data_type_of<float> == data_type::f32);
    STATIC_CHECK(data_type_of<bfloat16> == data_type::bf16);
    STATIC_CHECK(data_type_of<float16> == data_type::f16);
    STATIC_CHECK(data_type_of<float8_e5m2> == data_type::f8_e5m2);
    STATIC_CHECK(data_type_of<float8_e4m3> == data_type::f8_e4m3);
    STATIC_CHECK(data_type_of<std::int32_t> == data_type::s32);
    STATIC_CHECK(data_type_of<std::int8_t> == data_type::s8);
    STATIC_CHECK(data_type_of<std::uint8_t> == data_type::u8);
    STATIC_CHECK(data_type_of<s4> == data_type::s4);
    STATIC_CHECK(data_type_of<float6_e3m2> == data_type::f6_e3m2);
    STATIC_CHECK(data_type_of<boolean> == data_type::boolean);
    STATIC_CHECK(size_in_bytes(data_type::undef) == 0);
}

TEST_CASE("element_types: each row has the size of its C++ type, and element_type_of is its inverse") {
    int rows = 1;
    const auto check = [&]<data_type Type>(std::integral_constant<data_type, Type>) {
        using held = element_type_of<Type>;
        CHECK(data_type_of<held> == Type);
        // An element smaller than a byte has a byte of its own outside of tensors.
        CHECK(detail::is_packed(Type) == (size_in_bits(Type) < 8));
        CHECK(static_cast<int>(sizeof(held)) == (size_in_bits(Type) + 7) / 8);
        CHECK(size_in_bytes(Type) == (detail::is_packed(Type) ? 0 : static_cast<int>(sizeof(held))));
        CHECK(with_element_type(Type, [](auto one) { return std::is_same_v<decltype(one), held>; }));
        ++rows;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check(std::integral_constant<data_type, static_cast<data_type>(I + 1)>()), ...);
    }
    (std::make_index_sequence<detail::element_type_count - 1>());
    CHECK(rows == detail::element_type_count);
    STATIC_CHECK(std::is_same_v<element_type_of<data_type::bf16>, bfloat16>);
    STATIC_CHECK(std::is_same_v<element_type_of<data_type::u8>, std::uint8_t>);
    STATIC_CHECK(data_type_of<void> == data_type::undef);
    STATIC_CHECK(size_in_bits(data_type::undef) == 0);
    STATIC_CHECK(size_in_bits(static_cast<data_type>(99)) == 0);
}

TEST_CASE("element_types: no two types share a name, a number of oneDNN or a name of safetensors") {
    for (int a = 0; a < detail::element_type_count; ++a)
        for (int b = 0; b < a; ++b) {
            const detail::element_type_row &one = detail::element_types[a], &other = detail::element_types[b];
            CHECK(std::string_view(one.name) != other.name);
            CHECK((one.onednn < 0 || one.onednn != other.onednn));
            CHECK((*one.safetensors == 0 || std::string_view(one.safetensors) != other.safetensors));
        }
}

TEST_CASE("element: holds for the element types and no others") {
    STATIC_CHECK(element<float>);
    STATIC_CHECK(element<bfloat16>);
    STATIC_CHECK(!element<char>);
    STATIC_CHECK(!element<bool>);
    STATIC_CHECK(!element<std::uint16_t>);
    STATIC_CHECK(!element<std::int64_t>);
    STATIC_CHECK(!element<void>);
    STATIC_CHECK(!element<const float>);
}

TEST_CASE("to_string: the name of each data type, as in oneDNN") {
    constexpr const char* expected[] = {"undef",   "f64",     "f32",     "bf16",    "f16",  "f8_e5m2", "f8_e4m3",
                                        "s32",     "s8",      "u8",      "u1",      "u2",   "u4",      "s4",
                                        "f4_e2m1", "f4_e3m0", "f6_e2m3", "f6_e3m2", "e8m0", "ue4m3",   "boolean"};
    CHECK(std::size(expected) == detail::element_type_count);
    for (int i = 0; i < plait::detail::element_type_count; ++i)
        CHECK(std::string_view(to_string(static_cast<data_type>(i))) == expected[i]);
    STATIC_CHECK(std::string_view(to_string(data_type::bf16)) == "bf16");
    STATIC_CHECK(std::string_view(to_string(data_type::u8)) == "u8");
}

TEST_CASE("parse_data_type: accepts the names that to_string returns, and nothing else") {
    for (int i = 0; i < plait::detail::element_type_count; ++i) {
        const auto type = static_cast<data_type>(i);
        CHECK(parse_data_type(to_string(type)) == type);
    }
    STATIC_CHECK(parse_data_type("bf16") == data_type::bf16);
    STATIC_CHECK(parse_data_type("f8_e4m3") == data_type::f8_e4m3);
    for (const std::string_view none : {"", "f", "f3", "f320", " f32", "F32", "float", "bf16 ", "unknown data type"})
        CHECK_FALSE(parse_data_type(none).has_value());
    STATIC_CHECK(std::string_view(to_string(static_cast<data_type>(21))) == "unknown data type");
    STATIC_CHECK(std::string_view(to_string(static_cast<data_type>(-1))) == "unknown data type");
}

TEST_CASE("data_type: types without arithmetic compare by their bits") {
    STATIC_CHECK(bfloat16::from_bits(0x3f80) == bfloat16::from_bits(0x3f80));
    STATIC_CHECK(bfloat16::from_bits(0) != bfloat16::from_bits(0x8000));
    STATIC_CHECK(float16::from_bits(1) != float16::from_bits(2));
    STATIC_CHECK(float8_e5m2::from_bits(1) == float8_e5m2::from_bits(1));
    STATIC_CHECK(float8_e4m3{} == float8_e4m3::from_bits(0));
    STATIC_CHECK(std::bit_cast<float16>(std::uint16_t{0x3c00}) == float16(1.0f));
}

template <class Small>
constexpr bool is_plain_data = std::is_trivial_v<Small>&& std::is_standard_layout_v<Small> &&
                               sizeof(Small) == sizeof(Small::bits) && alignof(Small) == alignof(decltype(Small::bits));
template <class Small>
constexpr bool converts_only_when_asked =
    std::is_constructible_v<Small, float>&& std::is_constructible_v<Small, double>&&
        std::is_constructible_v<float, Small>&& std::is_constructible_v<double, Small> &&
    !std::is_convertible_v<float, Small> && !std::is_convertible_v<Small, float> &&
    !std::is_convertible_v<Small, double>;
// An integer could be meant as a number or as bits.
template <class Small>
constexpr bool refuses_integers =
    !std::is_constructible_v<Small, int> && !std::is_constructible_v<Small, std::uint16_t> &&
    !std::is_constructible_v<int, Small> && !std::is_constructible_v<bool, Small>;

// A type with other bits as a template argument is another type.
template <bfloat16 X>
struct of_number {};

template <class Small>
void check_every_number() {
    constexpr auto same = [](auto x, auto y) { return std::memcmp(&x, &y, sizeof(x)) == 0 && sizeof(x) == sizeof(y); };
    for (std::uint32_t i = 0; i < 1u << size_in_bits(data_type_of<Small>); ++i) {
        const auto x = Small::from_bits(static_cast<decltype(Small::bits)>(i));
        const auto number = static_cast<float>(x);
        if (!same(number, convert<float>(x)) || !same(static_cast<double>(x), convert<double>(x)))
            FAIL_CHECK("bits ", i, " as a number");
        // Round trip; then numbers half way to the next, the f32 next to that, and their negatives.
        const float next = std::nextafter(number * 1.0078125f, number);
        for (const float y : {number, -number, number * 1.0625f, number * 1.00390625f, next})
            if (!same(Small(y), convert<Small>(y)) || !same(Small(double{y}), convert<Small>(double{y})))
                FAIL_CHECK("bits ", i, " from a number ", y);
        if (number == number && !(Small(number) == x)) FAIL_CHECK("bits ", i, " and back");
    }
}

TEST_CASE("data_type: types without arithmetic are plain data and convert explicitly") {
    STATIC_CHECK(is_plain_data<bfloat16> && is_plain_data<float16>);
    STATIC_CHECK(is_plain_data<float8_e5m2> && is_plain_data<float8_e4m3>);
    STATIC_CHECK(is_plain_data<float4_e2m1> && is_plain_data<float6_e3m2> && is_plain_data<float8_e8m0>);
    STATIC_CHECK(converts_only_when_asked<float4_e3m0> && converts_only_when_asked<float6_e2m3>);
    STATIC_CHECK(refuses_integers<float8_e8m0> && refuses_integers<float8_ue4m3> && refuses_integers<float4_e2m1>);
    STATIC_CHECK(converts_only_when_asked<bfloat16> && converts_only_when_asked<float16>);
    STATIC_CHECK(converts_only_when_asked<float8_e5m2> && converts_only_when_asked<float8_e4m3>);
    STATIC_CHECK(refuses_integers<bfloat16> && refuses_integers<float16>);
    STATIC_CHECK(refuses_integers<float8_e5m2> && refuses_integers<float8_e4m3>);
    STATIC_CHECK(!std::is_constructible_v<bfloat16, float16> && !std::is_constructible_v<float16, bfloat16>);
    STATIC_CHECK(!std::is_same_v<of_number<bfloat16(1.0f)>, of_number<bfloat16(2.0f)>>);
    STATIC_CHECK(bfloat16(1.5f).bits == 0x3fc0 && static_cast<float>(bfloat16::from_bits(0x3fc0)) == 1.5f);
    STATIC_CHECK(float16(-2.0).bits == 0xc000 && static_cast<double>(float16::from_bits(0x7bff)) == 65504);
    STATIC_CHECK(float8_e5m2(1e9f).bits == 0x7c &&
                 float8_e4m3(1e9f).bits == 0x7f);  // infinity; NaN, because e4m3 has no infinity
}

TEST_CASE("data_type: each number converts as in a reorder") {
    check_every_number<bfloat16>();
    check_every_number<float16>();
    check_every_number<float8_e5m2>();
    check_every_number<float8_e4m3>();
    check_every_number<float4_e2m1>();
    check_every_number<float4_e3m0>();
    check_every_number<float6_e2m3>();
    check_every_number<float6_e3m2>();
}

TEST_CASE("data_type: the numbers of 4 and 6 bits, as OCP microscaling formats 1.0 lists them") {
    const float e2m1[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6}, e3m0[] = {0, 0.25f, 0.5f, 1, 2, 4, 8, 16};
    for (std::uint8_t i = 0; i < 8; ++i) {
        CHECK(static_cast<float>(float4_e2m1::from_bits(i)) == e2m1[i]);
        CHECK(static_cast<float>(float4_e3m0::from_bits(i)) == e3m0[i]);
        CHECK(static_cast<float>(float4_e2m1::from_bits(static_cast<std::uint8_t>(i + 8))) == -e2m1[i]);
    }
    STATIC_CHECK(static_cast<float>(float6_e2m3::from_bits(1)) == 0.125f);
    STATIC_CHECK(static_cast<float>(float6_e2m3::from_bits(31)) == 7.5f);
    STATIC_CHECK(static_cast<float>(float6_e3m2::from_bits(1)) == 0.0625f);
    STATIC_CHECK(static_cast<float>(float6_e3m2::from_bits(31)) == 28.0f);
    // Without infinity and NaN, numbers beyond the largest become it.
    STATIC_CHECK(float4_e2m1(1e9f).bits == 7 && float4_e2m1(-1e9f).bits == 15);
    STATIC_CHECK(float6_e2m3(7.75f).bits == 31 && float6_e3m2(1e30).bits == 31);
}

TEST_CASE("data_type: e8m0 holds powers of two and NaN; ue4m3 no negative numbers") {
    for (int i = 0; i < 255; ++i) {
        const auto x = float8_e8m0::from_bits(static_cast<std::uint8_t>(i));
        CHECK(static_cast<double>(x) == std::ldexp(1.0, i - 127));
        CHECK(float8_e8m0(static_cast<float>(x)) == x);
        CHECK(float8_e8m0(static_cast<double>(x) * 1.5) == x);
    }
    const float none = static_cast<float>(float8_e8m0::from_bits(255));
    CHECK(none != none);
    STATIC_CHECK(float8_e8m0(0.0f).bits == 0 && float8_e8m0(-1.0f).bits == 255 && float8_e8m0(3.0f).bits == 128);
    STATIC_CHECK(float8_e8m0(0x1p-140).bits == 0 && float8_e8m0(0x1p128).bits == 255);
    STATIC_CHECK(float8_ue4m3(-1.0f).bits == 0 && float8_ue4m3(448.0f).bits == 0x7e && float8_ue4m3(1e9f).bits == 0x7f);
    STATIC_CHECK(static_cast<float>(float8_ue4m3::from_bits(0x38)) == 1.0f);
}

}}  // namespace test_core_data_type
