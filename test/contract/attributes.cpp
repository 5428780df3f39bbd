#include <plait/contract/attributes.hpp>

#include "engine/kernel/kernels.hpp"
#include "support/small_layouts.hpp"

#include <plait/reorder/layout_reorder.hpp>

#include <cmath>

namespace test_contract_attributes {

using namespace kernels;

namespace {

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

/// Compares the reference and the run-time reorder with a plain loop over positions, padding included.
template <layout Src, layout Dst, element T, element U, class Wanted>
bool becomes(const std::vector<T>& in, const reorder_attributes& attributes, const Wanted& wanted) {
    const std::vector<U> old = numbered<U>(Dst.element_span());
    std::vector<U> expected(old);
    for (dim_t number = 0; number < Dst.padded_volume(); ++number)
        expected[static_cast<std::size_t>(Dst.padded_linear_offset(number))] = U{};
    for (dim_t number = 0; number < Dst.volume(); ++number) {
        const position at = unravel(Dst.dims, number);
        const auto to = static_cast<std::size_t>(Dst.offset(at));
        expected[to] = wanted(in[static_cast<std::size_t>(Src.offset(at))], old[to], at);
    }
    // engine/quantize/kernels_attributes.cpp compares static kernels with the reference.
    std::vector<U> by_reference = old, at_run_time = old;
    reference_reorder(Src, in.data(), Dst, by_reference.data(), attributes);
    reorder(Src, in.data(), Dst, at_run_time.data(), attributes);
    return same_bytes(by_reference, expected) && same_bytes(at_run_time, expected);
}

/// Returns numbers around zero, including halves.
template <class T>
std::vector<T> halves(std::size_t size) {
    std::vector<T> out(size);
    for (std::size_t i = 0; i < size; ++i)
        out[i] =
            convert<T>((static_cast<float>(i * 37 % 601) - 300.0f) * (std::is_same_v<T, std::int8_t> ? 0.4f : 0.5f));
    return out;
}

}  // namespace

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

TEST_CASE("reorder with attributes: one value for the tensor") {
    constexpr layout plain({2, 17, 5, 4}, "nchw"), blocked({2, 17, 5, 4}, "nChw16c");
    const reorder_attributes attributes{
        .src_scale = 0.5f, .dst_scale = 3.0f, .src_zero_point = 4, .dst_zero_point = -7, .beta = 0.25f};
    const auto run = [&]<class T, class U>(T, U) {
        const auto wanted = [](T x, U old, const position&) {
            return convert_with<U>(x, old, {0.5f, 3.0f, 4, -7, 0.25f});
        };
        CHECK(becomes<plain, blocked, T, U>(halves<T>(plain.element_span()), attributes, wanted));
        CHECK(becomes<blocked, plain, T, U>(halves<T>(blocked.element_span()), attributes, wanted));
    };
    run(float{}, std::int8_t{});
    run(float{}, std::uint8_t{});
    run(std::uint8_t{}, std::int32_t{});
    run(std::int32_t{}, std::int32_t{});
    run(bfloat16{}, float16{});
    run(std::int8_t{}, double{});
    run(double{}, bfloat16{});
}

TEST_CASE("reorder with attributes: trivial attributes give the result of the plain reorder") {
    constexpr layout from({5, 9}, "ab"), to({5, 9}, "bA4a");
    constexpr static float one = 1;
    std::vector<std::int32_t> in = numbered<std::int32_t>(from.element_span());
    in[3] = 16777217, in[4] = INT32_MAX;
    for (const reorder_attributes& a : {reorder_attributes{}, reorder_attributes{.src_scale = {{&one, 1}, 0}}}) {
        CHECK(becomes<from, to, std::int32_t, std::int32_t>(in, a, [](auto x, auto, const position&) { return x; }));
        CHECK(becomes<from, to, std::int32_t, std::uint8_t>(
            in, a, [](auto x, auto, const position&) { return convert<std::uint8_t>(x); }));
        CHECK(becomes<from, to, std::int32_t, float>(in, a,
                                                     [](auto x, auto, const position&) { return convert<float>(x); }));
    }
}

TEST_CASE("reorder with attributes: values by index, along one axis and along several") {
    constexpr layout vector({19}, "a"), vector_blocked({19}, "A8a");
    constexpr layout matrix({7, 9}, "ab"), matrix_blocked({7, 9}, "BA4b2a4a");
    constexpr layout cube({3, 10, 4}, "bca"), cube_blocked({3, 10, 4}, "aBc8b");
    std::vector<float> scales(120), more(120);
    std::vector<std::int32_t> points(120), other_points(120);
    for (int i = 0; i < 120; ++i) {
        const auto at = static_cast<std::size_t>(i);
        scales[at] = 0.25f * static_cast<float>(i % 11 - 5) + 0.125f, more[at] = 1.0f + static_cast<float>(i % 7);
        points[at] = i * 5 % 13 - 6, other_points[at] = i * 3 % 17;
    }
    // Returns the place of a position's value, which is row-major over the axes of the mask.
    const auto place = [](const dims& extents, int mask, const position& at) {
        dim_t out = 0;
        for (int a = 0; a < at.size(); ++a)
            if ((mask >> a & 1) != 0) out = out * extents[a] + at[a];
        return static_cast<std::size_t>(out);
    };
    const auto run = [&]<layout Src, layout Dst>() {
        const std::vector<float> in = halves<float>(Src.element_span());
        const int all = 1 << Src.ndims();
        for (int m = 0; m < all; ++m) {
            // Half of the attributes have mask m, the others have the mask of all other axes.
            const int n = all - 1 - m;
            const auto first = [](const auto& values, int mask) {
                return std::span(values).first(static_cast<std::size_t>(mask_volume(Src.dims, mask)));
            };
            const reorder_attributes attributes{.src_scale = {first(scales, m), m},
                                                .dst_scale = {first(more, n), n},
                                                .src_zero_point = {first(points, n), n},
                                                .dst_zero_point = {first(other_points, m), m},
                                                .beta = m % 2 == 0 ? 0.5f : 0.0f};
            const auto wanted = [&]<class U>(float x, U old, const position& at) {
                const std::size_t i = place(Src.dims, m, at), j = place(Src.dims, n, at);
                return convert_with<U>(x, old, {scales[i], more[j], points[j], other_points[i], attributes.beta});
            };
            INFO(to_string(Src), " -> ", to_string(Dst), " mask ", m);
            CHECK(becomes<Src, Dst, float, std::int8_t>(in, attributes, wanted));
            CHECK(becomes<Src, Dst, float, bfloat16>(in, attributes, wanted));
        }
    };
    run.operator()<vector, vector_blocked>();
    run.operator()<matrix, matrix_blocked>();
    run.operator()<matrix_blocked, matrix>();
    run.operator()<cube, cube_blocked>();
    run.operator()<cube_blocked, cube>();
}

TEST_CASE("reorder with attributes: values by index equal one value for each slice") {
    constexpr layout l({3, 5}, "ab"), row({1, 5}, "ab");
    const std::vector<float> in = halves<float>(15);
    std::vector<std::uint8_t> out(15, 9), wanted(15, 9);
    const std::int32_t points[] = {0, 100, 200};
    reorder(l, in.data(), l, out.data(), {.src_scale = {three_scales, 1}, .dst_zero_point = {points, 1}});
    for (std::size_t i = 0; i < 3; ++i)
        reorder(row, in.data() + 5 * i, row, wanted.data() + 5 * i,
                {.src_scale = three_scales[i], .dst_zero_point = points[i]});
    CHECK(out == wanted);
}

TEST_CASE("reorder with attributes: padding is zero for any zero points and any beta") {
    constexpr layout from({2, 3}, "ab"), to({2, 3}, "aB8b");
    const std::vector<float> in(6, 1);
    std::vector<std::uint8_t> out(16, 50);
    reorder<from, to>(in.data(), out.data(), {.dst_zero_point = 100, .beta = 1});
    CHECK(out == std::vector<std::uint8_t>{151, 151, 151, 0, 0, 0, 0, 0, 151, 151, 151, 0, 0, 0, 0, 0});
    // A view of a part has no padding, and the elements around it stay as they were.
    constexpr layout part({2, 3}, strides{8, 1});
    std::vector<std::uint8_t> around(16, 50);
    reorder(from, in.data(), part, around.data(), {.beta = 2});
    CHECK(around == std::vector<std::uint8_t>{101, 101, 101, 50, 50, 50, 50, 50, 101, 101, 101, 50, 50, 50, 50, 50});
}

TEST_CASE("reorder with attributes: works in constant expressions, and without elements") {
    STATIC_CHECK([] {
        constexpr layout from({2, 3}, "ab"), to({2, 3}, "Ba2b");
        const float in[6] = {1, 2, 3, 4, 5, 6};
        std::int8_t out[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        reference_reorder(from, in, to, out, {.src_scale = {three_scales, 2}, .beta = 3});
        const std::int8_t wanted[8] = {4, 7, 7, 13, 12, 0, 21, 0};
        for (int i = 0; i < 8; ++i)
            if (out[i] != wanted[i]) return false;
        return true;
    }());
    float out[1] = {7};
    reorder<layout({2, 0}, "ab"), layout({2, 0}, "ba")>(out, out, {.src_scale = {{}, 2}, .beta = 1});
    reorder(layout({2, 0}, "ab"), out, layout({2, 0}, "ba"), out, {.src_scale = {{}, 2}, .beta = 1});
    CHECK(out[0] == 7);
}

}  // namespace test_contract_attributes
