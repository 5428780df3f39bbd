// Reorders with attributes: the reference and the run-time reorder are compared with a plain loop over positions.

#include <plait/contract/attributes.hpp>

#include "engine/kernel/kernels.hpp"
#include "support/static_check.hpp"

#include <plait/reorder/layout_reorder.hpp>

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace test_contract_attributes_of_reorders { namespace {

using namespace kernels;

constexpr float three_scales[] = {1, 2, 3};

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
    // The table of engine/kernel/static_rows.hpp compares static kernels with the reference.
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

}}  // namespace test_contract_attributes_of_reorders
