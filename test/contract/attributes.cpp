#include <plait/contract/attributes.hpp>

#include "support/static_check.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace test_contract_attributes { namespace {

using namespace plait;
using namespace plait::detail;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Takes attributes as a template argument, because they may be part of a type.
template <reorder_attributes Attributes>
struct with_attributes {
    static constexpr float scale = Attributes.src_scale.value;
};
constexpr float three_scales[] = {1, 2, 3};

/// Returns convert_with(...) compiled for FMA instructions, which GCC uses wherever it may.
#if defined(__x86_64__)
[[gnu::target("fma")]]
#endif
float convert_where_fma_is(float x, float old, const element_attributes& a) {
    return convert_with<float>(x, old, a);
}
#if defined(__x86_64__)
[[gnu::target("fma")]]
#endif
double
convert_where_fma_is(double x, double old, const element_attributes& a) {
    return convert_with<double>(x, old, a);
}

TEST_CASE("attributes: made from a number, or from values and a mask") {
    STATIC_CHECK(reorder_attributes{.src_scale = 0.5f}.src_scale == reorder_attributes::scale(0.5f));
    STATIC_CHECK(reorder_attributes{.dst_scale = {three_scales, 2}}.dst_scale.mask == 2);
    STATIC_CHECK(reorder_attributes{.src_zero_point = 3} != reorder_attributes{.dst_zero_point = 3});
    STATIC_CHECK(with_attributes<reorder_attributes{.src_scale = 0.5f}>::scale == 0.5f);
    STATIC_CHECK(!std::is_same_v<with_attributes<reorder_attributes{.src_scale = {three_scales, 1}}>,
                                 with_attributes<reorder_attributes{}>>);
}

TEST_CASE("is_trivial: true if every attribute is one value for the tensor and changes nothing") {
    constexpr static float one = 1, two = 2;
    constexpr static std::int32_t zero = 0;
    STATIC_CHECK(plait::detail::is_trivial({}));
    STATIC_CHECK(plait::detail::is_trivial({.src_scale = {{&one, 1}, 0}, .dst_zero_point = {{&zero, 1}, 0}}));
    STATIC_CHECK(!plait::detail::is_trivial({.src_scale = {{&two, 1}, 0}}) &&
                 !plait::detail::is_trivial({.dst_scale = 2.0f}));
    STATIC_CHECK(!plait::detail::is_trivial({.src_zero_point = 1}) &&
                 !plait::detail::is_trivial({.dst_zero_point = -1}));
    STATIC_CHECK(!plait::detail::is_trivial({.beta = 1}) && !plait::detail::is_trivial({.beta = -0.5f}));
    STATIC_CHECK(!plait::detail::is_trivial({.src_scale = {{&one, 1}, 1}}));
    // An array without values is not trivial, and must not be read.
    STATIC_CHECK(!plait::detail::is_trivial({.src_scale = {{&one, std::size_t{0}}, 0}}) &&
                 !plait::detail::is_trivial({.src_scale = {{}, 0}}));
}

TEST_CASE("mask_strides: the values are row-major over the axes of the mask") {
    STATIC_CHECK(plait::detail::mask_strides({2, 3, 5}, 0) == strides{0, 0, 0} && mask_volume({2, 3, 5}, 0) == 1);
    STATIC_CHECK(plait::detail::mask_strides({2, 3, 5}, 2) == strides{0, 1, 0} && mask_volume({2, 3, 5}, 2) == 3);
    STATIC_CHECK(plait::detail::mask_strides({2, 3, 5}, 5) == strides{5, 0, 1} && mask_volume({2, 3, 5}, 5) == 10);
    STATIC_CHECK(plait::detail::mask_strides({2, 3, 5}, 7) == strides{15, 5, 1} && mask_volume({2, 3, 5}, 7) == 30);
    STATIC_CHECK(mask_volume({2, 0, 5}, 2) == 0 && mask_volume({2, 0, 5}, 4) == 5);
}

TEST_CASE("convert_with: examples that are computed by hand") {
    // ((10 - 2) * 0.5 + 2 * 3) * (1 / 4) + 7 = 2.5 + 7 = 9.5
    constexpr element_attributes all{0.5f, 4.0f, 2, 7, 2.0f};
    STATIC_CHECK(convert_with<float>(10.0f, 3.0f, all) == 9.5f);
    STATIC_CHECK(convert_with<std::int8_t>(10.0f, std::int8_t{3}, all) == 10);  // 9.5 rounds to even
    STATIC_CHECK(convert_with<std::uint8_t>(std::int8_t{10}, std::uint8_t{3}, all) == 10);
    STATIC_CHECK(convert_with<std::int32_t>(std::int32_t{10}, 3, all) == 10);
    STATIC_CHECK(convert_with<double>(std::uint8_t{10}, 3.0, all) == 9.5);
    STATIC_CHECK(convert_with<bfloat16>(10.0f, bfloat16::from_bits(0x4040), all).bits == 0x4118);
    STATIC_CHECK(convert_with<float16>(10.0f, float16::from_bits(0x4200), all).bits == 0x48c0);
    // The result is saturated after all other steps.
    STATIC_CHECK(convert_with<std::int8_t>(100.0f, std::int8_t{0}, {.src_scale = 2, .dst_zero_point = -100}) == 100);
    STATIC_CHECK(convert_with<std::uint8_t>(-5.0f, std::uint8_t{0}, {.dst_zero_point = 128}) == 123);
    STATIC_CHECK(convert_with<std::int8_t>(-5.0f, std::int8_t{0}, {.dst_zero_point = INT32_MIN}) == -128);
    STATIC_CHECK(convert_with<double>(-5.0, 0.0, {.dst_zero_point = INT32_MIN}) == -2147483653.0);
    STATIC_CHECK(convert_with<std::int32_t>(3e9f, 0, {.src_scale = 0.5f}) == 1500000000);
}

TEST_CASE("convert_with: each operation rounds separately, in f32 unless an f64 takes part") {
    // 1 / 3 is rounded before the multiplication, so 5 * (1 / 3) is not 5 / 3.
    STATIC_CHECK(convert_with<float>(5.0f, 0.0f, {.dst_scale = 3}) == 5.0f * (1.0f / 3.0f));
    STATIC_CHECK(5.0f * (1.0f / 3.0f) != 5.0f / 3.0f);
    STATIC_CHECK(convert_with<double>(7.0, 0.0, {.dst_scale = 25}) == 7.0 * (1.0 / 25.0));
    // f32 rounds numbers of 25 bits. This includes zero points, and conversions from s32 to s32.
    STATIC_CHECK(convert_with<std::int32_t>(16777217, 0, {.src_scale = 2}) == 33554432);
    STATIC_CHECK(convert_with<float>(0.0f, 0.0f, {.src_zero_point = 16777217}) == -16777216.0f);
    STATIC_CHECK(convert_with<double>(0.0, 0.0, {.src_zero_point = 16777217}) == -16777217.0);
    STATIC_CHECK(convert_with<std::int32_t>(16777217.0, 0, {.beta = 0}) == 16777217);

    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11 (even). If the sum with -1 - 2^-11 were fused, 2^-24
    // would remain.
    constexpr float x = 1 + 0x1p-12f;
    constexpr element_attributes product{.src_scale = x, .beta = 1};
    STATIC_CHECK(convert_with<float>(x, -1 - 0x1p-11f, product) == 0);
    constexpr element_attributes old_product{.beta = x};
    STATIC_CHECK(convert_with<float>(-1 - 0x1p-11f, x, old_product) == 0);
    // Further sums that must not be fused: of f64 numbers with twice the digits, and the zero point after the last
    // product.
    constexpr double wide = 1 + 0x1p-52;
    STATIC_CHECK(convert_with<double>(wide + 0x1p-23, -(1 + 0x1p-23) * (1 + 0x1p-23),
                                      {.src_scale = 1 + 0x1p-23f, .beta = 1}) == 0x1p-52);
    STATIC_CHECK(convert_with<float>(x, 0.0f, {.dst_scale = 1 / x, .dst_zero_point = -1}) == x * (1 / (1 / x)) - 1);
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma")) return;
#endif
    CHECK(convert_where_fma_is(x, -1 - 0x1p-11f, product) == 0);
    CHECK(convert_where_fma_is(-1 - 0x1p-11f, x, old_product) == 0);
    CHECK(convert_where_fma_is(x, 0.0f, {.dst_scale = 1 / x, .dst_zero_point = -1}) == x * (1 / (1 / x)) - 1);
    CHECK(convert_where_fma_is(wide + 0x1p-23, -(1 + 0x1p-23) * (1 + 0x1p-23),
                               {.src_scale = 1 + 0x1p-23f, .beta = 1}) == 0x1p-52);
}

TEST_CASE("convert_with: neutral attributes change nothing, not even the sign of a zero") {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const auto x = bfloat16::from_bits(static_cast<std::uint16_t>(bits));
        const auto wide = convert<float>(x);
        if (wide != wide) continue;
        CHECK(std::bit_cast<std::uint32_t>(convert_with<float>(x, 1.0f, {})) == std::bit_cast<std::uint32_t>(wide));
        CHECK(convert_with<std::int8_t>(x, std::int8_t{1}, {}) == convert<std::int8_t>(x));
    }
    STATIC_CHECK(convert_with<std::uint8_t>(std::int8_t{-3}, std::uint8_t{1}, {}) == 0);
    STATIC_CHECK(convert_with<std::int32_t>(std::int32_t{16777217}, 0, {}) == 16777216);  // through f32
    CHECK(std::signbit(convert_with<float>(-0.0f, 0.0f, {.src_scale = 2})));
}

TEST_CASE("convert_with: zero, infinity and NaN") {
    STATIC_CHECK(convert_with<float>(1.0f, 0.0f, {.dst_scale = 0.0f}) == infinity);
    STATIC_CHECK(convert_with<float>(1.0f, 0.0f, {.dst_scale = -0.0f}) == -infinity);
    STATIC_CHECK(convert_with<std::int8_t>(1.0f, std::int8_t{0}, {.dst_scale = 0.0f}) == 127);
    CHECK(convert_with<std::int8_t>(0.0f, std::int8_t{0}, {.dst_scale = 0.0f}) == -128);  // NaN
    CHECK(convert_with<float>(1.0f, 0.0f, {.dst_scale = infinity}) == 0);
    // The old value of the destination is not read if beta is 0.
    CHECK(convert_with<float>(1.0f, std::nanf(""), {.src_scale = 2}) == 2);
    CHECK(std::isnan(convert_with<float>(1.0f, std::nanf(""), {.beta = 2})));
    // The reciprocal of the largest numbers is subnormal.
    CHECK(convert_with<float>(0x1p+100f, 0.0f, {.dst_scale = 0x1.8p+127f}) == 0x1p+100f * (1 / 0x1.8p+127f));
}

}}  // namespace test_contract_attributes
