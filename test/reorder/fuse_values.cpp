#include <plait/reorder/fuse_values.hpp>

#include "support/static_check.hpp"

#include <limits>
#include <span>

namespace test_reorder_fuse_values {

using namespace plait;
using namespace plait::detail;
using enum data_type;

namespace {

constexpr layout row({4}, "a");
constexpr float four_scales[4] = {2, 2, 2, 2};

constexpr reorder_step between(data_type from, data_type to, const reorder_attributes& attributes = {}) {
    return {row, row, from, to, attributes};
}
/// Returns the refusal of two steps whose second has no scale adjustment.
constexpr verdict refusal(const reorder_step& a, const reorder_step& b) { return fuse_values(a, b, 1).error(); }
constexpr verdict refused(reason why, data_type from, data_type middle, data_type to) {
    return {why, -1, static_cast<dim_t>(from), static_cast<dim_t>(middle), static_cast<dim_t>(to)};
}
constexpr element_attributes of_element(const reorder_attributes& a, float scale_adjust = 1) {
    return {a.src_scale.value * scale_adjust, a.dst_scale.value, a.src_zero_point.value, a.dst_zero_point.value, 0};
}
/// Returns the number of values of type T for which two conversions, through Middle, and one conversion differ.
template <class T, class Middle, class U>
int differences(const reorder_attributes& first, const reorder_attributes& second, const reorder_attributes& one,
                float scale_adjust = 1) {
    int out = 0;
    for (int x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) {
        const auto middle = convert_with<Middle>(static_cast<T>(x), Middle{}, of_element(first));
        const U by_two = convert_with<U>(middle, U{}, of_element(second, scale_adjust));
        out += by_two != convert_with<U>(static_cast<T>(x), U{}, of_element(one, scale_adjust));
    }
    return out;
}

}  // namespace

TEST_CASE("exact_attributes_of: the effect of scales that are powers of two") {
    constexpr exact_attributes nothing = exact_attributes_of({});
    STATIC_CHECK(nothing.known);
    STATIC_CHECK(nothing.change_nothing());
    constexpr exact_attributes example = exact_attributes_of({.src_scale = 0.5f, .dst_zero_point = 3});
    STATIC_CHECK(example.known);
    STATIC_CHECK(example.scale == 0.5);
    STATIC_CHECK(example.zero_point == 0);
    STATIC_CHECK(example.moved == 3);
    // ((10 - 7) * 8) * (1 / 2) - 4 = 8
    constexpr exact_attributes all =
        exact_attributes_of({.src_scale = 8, .dst_scale = 2, .src_zero_point = 7, .dst_zero_point = -4});
    STATIC_CHECK((10 - static_cast<double>(all.zero_point)) * all.scale + static_cast<double>(all.moved) == 8);
    STATIC_CHECK(all.src_scale == 8);
    STATIC_CHECK(all.dst_factor == 0.5);
    STATIC_CHECK(!exact_attributes_of({.src_scale = 2}).change_nothing());
    STATIC_CHECK(!exact_attributes_of({.src_zero_point = 1}).change_nothing());
    STATIC_CHECK(!exact_attributes_of({.dst_zero_point = 1}).change_nothing());
}

TEST_CASE("exact_attributes_of: other scales, and values by index, are not known") {
    STATIC_CHECK(!exact_attributes_of({.src_scale = 0.7f}).known);
    STATIC_CHECK(!exact_attributes_of({.dst_scale = 3}).known);
    STATIC_CHECK(!exact_attributes_of({.src_scale = -2}).known);
    STATIC_CHECK(!exact_attributes_of({.src_scale = {std::span<const float>(four_scales), 1}}).known);
    // An array of one value for the tensor is read.
    STATIC_CHECK(exact_attributes_of({.src_scale = {std::span<const float>(four_scales, 1), 0}}).scale == 2);
}

TEST_CASE("holds_integer: f32 holds the integers up to 2^24, and even ones beyond") {
    STATIC_CHECK(holds_integer(f32, 0));
    STATIC_CHECK(holds_integer(f32, 1 << 24));
    STATIC_CHECK(!holds_integer(f32, (1 << 24) + 1));
    STATIC_CHECK(holds_integer(f32, (1 << 24) + 2));
    STATIC_CHECK(!holds_integer(f32, -(1 << 24) - 1));
    STATIC_CHECK(holds_integer(f64, INT32_MAX));
    STATIC_CHECK(arithmetic_of(s8, u8) == f32);
    STATIC_CHECK(arithmetic_of(f64, u8) == f64);
    STATIC_CHECK(arithmetic_of(u8, f64) == f64);
}

TEST_CASE("numbers_after: the numbers that a step computes, unless it rounds") {
    // s8 minus 3 is -131 to 124; half of it is -65.5 to 62; plus 5 it is -60.5 to 67.
    constexpr expected<value_set> halves =
        numbers_after(exact_attributes_of({.src_scale = 0.5f, .src_zero_point = 3, .dst_zero_point = 5}), s8, f32);
    STATIC_CHECK(halves.has_value());
    STATIC_CHECK(halves->low == -60.5);
    STATIC_CHECK(halves->high == 67);
    STATIC_CHECK(halves->last_digit == -1);
    constexpr auto rounds = [](const reorder_attributes& a, data_type from, data_type number) {
        return numbers_after(exact_attributes_of(a), from, number).error() == verdict{reason::attributes_round_between};
    };
    STATIC_CHECK(rounds({.src_scale = 2}, s32, f32));  // s32 has 31 digits, and f32 has 24
    STATIC_CHECK(!rounds({.src_scale = 2}, s32, f64));
    STATIC_CHECK(rounds({.src_zero_point = (1 << 24) + 1}, s8, f32));
    STATIC_CHECK(rounds({.dst_zero_point = (1 << 24) + 1}, s8, f32));
    STATIC_CHECK(!rounds({.dst_zero_point = 1 << 23}, u8, f32));
    STATIC_CHECK(rounds({.src_scale = 2}, f32, f32));  // twice the largest number
}

TEST_CASE("converts_alike: the same number from two types gives the same bits, with two exceptions") {
    STATIC_CHECK(converts_alike(values_of(s32), f64, f64, bf16));
    STATIC_CHECK(!converts_alike(values_of(s32), s32, f64, bf16));  // f32 rounds once more than f64
    STATIC_CHECK(converts_alike(values_of(s32), s32, f64, f32));
    STATIC_CHECK(!converts_alike(values_of(f32), f32, f64, s32));  // 2147483520 and 2147483647
    STATIC_CHECK(converts_alike(values_of(s8), f32, f64, s32));
    STATIC_CHECK(converts_alike(values_of(u8), u8, f32, bf16));
}

TEST_CASE("verdict_of: names the numbers that a middle type loses") {
    STATIC_CHECK(verdict_of(type_loss::none, f32, s8).ok());
    // bf16 has eight binary digits.
    STATIC_CHECK(verdict_of(type_loss::rounds, f32, bf16) ==
                 verdict{reason::middle_type_rounds, -1, static_cast<dim_t>(f32), static_cast<dim_t>(bf16), 8});
    STATIC_CHECK(verdict_of(type_loss::saturates, s32, s8) ==
                 verdict{reason::middle_type_saturates, -1, static_cast<dim_t>(s32), static_cast<dim_t>(s8)});
}

TEST_CASE("fuse_values: a step that changes nothing leaves the attributes of the other") {
    constexpr reorder_attributes any{.src_scale = 0.7f, .dst_scale = 3, .src_zero_point = 4, .dst_zero_point = 5};
    STATIC_CHECK(fuse_values(between(u8, s8, any), between(s8, s8), 1) == any);
    STATIC_CHECK(fuse_values(between(u8, u8), between(u8, s8, any), 1) == any);
    STATIC_CHECK(fuse_values(between(s8, f32), between(f32, u8, any), 1) == any);
    constexpr reorder_attributes with_beta{.src_scale = 0.7f, .beta = 0.5f};
    STATIC_CHECK(fuse_values(between(u8, u8), between(u8, s8, with_beta), 1) == with_beta);
}

TEST_CASE("fuse_values: the joined attributes give each number the bits that two steps give it") {
    // ((x - 3) / 2 + 5 - 1) * 0.7 is (x + 5) * 0.35.
    constexpr reorder_attributes first{.src_scale = 0.5f, .src_zero_point = 3, .dst_zero_point = 5};
    constexpr reorder_attributes second{.src_scale = 0.7f, .dst_scale = 3, .src_zero_point = 1, .dst_zero_point = 9};
    constexpr reorder_attributes one{.src_scale = 0.35f, .dst_scale = 3, .src_zero_point = -5, .dst_zero_point = 9};
    STATIC_CHECK(fuse_values(between(u8, f32, first), between(f32, s8, second), 1) == one);
    CHECK(differences<std::uint8_t, float, std::int8_t>(first, second, one) == 0);
    // A scale of 2, which a scale adjustment of 1/2 undoes: x * 2 * (1 * 0.5) is x * (2 * 0.5).
    constexpr reorder_attributes twice{.src_scale = 2};
    STATIC_CHECK(fuse_values(between(s8, f32, twice), between(f32, s8), 0.5f) == twice);
    CHECK(differences<std::int8_t, float, std::int8_t>(twice, {}, twice, 0.5f) == 0);
}

TEST_CASE("fuse_values: refuses conversions that one step cannot do, with the reason") {
    STATIC_CHECK(refusal(between(u8, f32, {.beta = 0.5f}), between(f32, f32)) ==
                 verdict{reason::beta_reads_the_middle, -1, 0x3f000000});
    // (2 * x - 1) * 0.7 needs a zero point of 1/2.
    STATIC_CHECK(
        refusal(between(u8, f32, {.src_scale = 2}), between(f32, s8, {.src_scale = 0.7f, .src_zero_point = 1})) ==
        refused(reason::attributes_round_between, u8, f32, s8));
    STATIC_CHECK(refusal(between(u8, f32, {.src_scale = 0.7f}), between(f32, s8)) ==
                 refused(reason::attributes_round_between, u8, f32, s8));
    STATIC_CHECK(refusal(between(u8, f32, {.src_scale = 2}),
                         between(f32, s8, {.src_scale = {std::span<const float>(four_scales), 1}})) ==
                 refused(reason::attributes_round_between, u8, f32, s8));
    STATIC_CHECK(refusal(between(f32, bf16), between(bf16, s8)).reason == reason::middle_type_rounds);
    STATIC_CHECK(refusal(between(s32, u8), between(u8, s8)).reason == reason::middle_type_saturates);
    // A zero point of the first step beyond the range of s32: 2^31 - 1 + 1.
    STATIC_CHECK(refusal(between(s8, f64, {.src_zero_point = INT32_MAX}), between(f64, f64, {.src_zero_point = 1})) ==
                 refused(reason::attributes_round_between, s8, f64, f64));
    // The second step computes in f64, and one step from s8 to bf16 computes in f32.
    STATIC_CHECK(refusal(between(s8, f64), between(f64, bf16, {.src_scale = 0.1f})) ==
                 refused(reason::one_pass_differs, s8, f64, bf16));
    // A copy would keep the payload of a NaN, which two conversions replace.
    STATIC_CHECK(refusal(between(bf16, f32), between(f32, bf16)) == refused(reason::one_pass_differs, bf16, f32, bf16));
}

}  // namespace test_reorder_fuse_values
