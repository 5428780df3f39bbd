#include <plait/reorder/fusion.hpp>

#include "support/static_check.hpp"

namespace test_reorder_fusion { namespace {

using namespace plait;
using namespace plait::detail;

constexpr layout nchw({2, 16, 3, 3}, "nchw"), nhwc({2, 16, 3, 3}, "nhwc"), blocked({2, 16, 3, 3}, "nChw16c");
constexpr reorder_step to_last{nchw, nhwc}, to_blocks{nhwc, blocked}, from_blocks{blocked, nhwc}, back{nhwc, nchw};

constexpr layout row({4}, "a");
constexpr reorder_step between(data_type from, data_type to, const reorder_attributes& attributes = {}) {
    return {row, row, from, to, attributes};
}
constexpr verdict refused(reason why, data_type from, data_type middle, data_type to) {
    return {why, -1, static_cast<dim_t>(from), static_cast<dim_t>(middle), static_cast<dim_t>(to)};
}

using enum data_type;
constexpr float scales[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

TEST_CASE("fuse: consecutive moves become one, and moves that undo each other become none") {
    STATIC_CHECK(fuse(to_last, to_blocks) == reorder_step{nchw, blocked});
    STATIC_CHECK(fuse(to_last, back).moves_nothing());
    STATIC_CHECK(!fuse(to_last, to_blocks).moves_nothing());
    STATIC_CHECK(!to_last.moves_nothing());
    // The 5 elements stay, but the three zeros after them must be written.
    constexpr layout five({5}, "a"), padded({5}, "A8a");
    STATIC_CHECK(reorder_step{padded, five}.moves_nothing());
    STATIC_CHECK(!reorder_step{five, padded}.moves_nothing());
    STATIC_CHECK(reorder_step{padded, padded}.moves_nothing());
    STATIC_CHECK(!reorder_step{five, five, f32, s8}.moves_nothing());
    STATIC_CHECK(!reorder_step{five, five, f32, f32, {.src_scale = 2}}.moves_nothing());
}

TEST_CASE("fuse: a step without data types takes those of the other step") {
    STATIC_CHECK(fuse(to_last, {nhwc, blocked, f32, s8}) == reorder_step{nchw, blocked, f32, s8});
    STATIC_CHECK(fuse(reorder_step{nchw, nhwc, f32, s8}, to_blocks) == reorder_step{nchw, blocked, f32, s8});
    STATIC_CHECK(check_step({row, row, f32}).reason == reason::data_type_is_unknown);
    STATIC_CHECK(check_step({row, row, undef, undef, {.src_scale = 2}}).reason == reason::data_type_is_unknown);
    STATIC_CHECK(check_step({row, row, data_type(99), data_type(99)}).reason == reason::data_type_is_unknown);
    STATIC_CHECK(check_fuse(between(f32, s8), between(u8, f32)) == verdict{reason::data_types_differ, -1, 8, 9});
}

TEST_CASE("fuse: elements smaller than a byte are types as others") {
    STATIC_CHECK(check_step({row, row, data_type::u4, f32}).ok());
    STATIC_CHECK(fuse(between(data_type::u4, s8), between(s8, f32)) == between(data_type::u4, f32));
    STATIC_CHECK(fuse(between(f4_e2m1, f8_e4m3), between(f8_e4m3, bf16)) == between(f4_e2m1, bf16));
    STATIC_CHECK(check_fuse(between(data_type::u4, data_type::s4), between(data_type::s4, f32)).reason ==
                 reason::middle_type_saturates);
    STATIC_CHECK(check_fuse(between(s8, f4_e2m1), between(f4_e2m1, f32)).reason == reason::middle_type_rounds);
}

TEST_CASE("fuse: a truth value that becomes a number and back is 1, which a copy of its byte need not be") {
    STATIC_CHECK(check_fuse(between(data_type::boolean, u8), between(u8, data_type::boolean)).reason ==
                 reason::one_pass_differs);
    STATIC_CHECK(fuse(between(data_type::boolean, u8), between(u8, f32)) == between(data_type::boolean, f32));
}

TEST_CASE("fuse: a middle type holds every number, or the refusal names the types and the loss") {
    STATIC_CHECK(fuse(between(s8, f32), between(f32, bf16)) == between(s8, bf16));
    STATIC_CHECK(fuse(between(f8_e5m2, f16), between(f16, u8)) == between(f8_e5m2, u8));
    STATIC_CHECK(check_fuse(between(f32, s8), between(s8, f32)) ==
                 verdict{reason::middle_type_rounds, -1, static_cast<dim_t>(f32), static_cast<dim_t>(s8), 7});
    STATIC_CHECK(check_fuse(between(s32, f32), between(f32, s8)).reason == reason::middle_type_rounds);
    STATIC_CHECK(check_fuse(between(s32, s8), between(s8, f32)) ==
                 verdict{reason::middle_type_saturates, -1, static_cast<dim_t>(s32), static_cast<dim_t>(s8)});
    STATIC_CHECK(check_fuse(between(s8, u8), between(u8, f32)).reason == reason::middle_type_saturates);
    // 2^30 + 2^22 + 1 becomes another bf16 from f64 than through f32, which loses the last 1.
    STATIC_CHECK(check_fuse(between(s32, f64), between(f64, bf16)) ==
                 refused(reason::one_pass_differs, s32, f64, bf16));
    STATIC_CHECK(fuse(between(s32, f64), between(f64, f16)) == between(s32, f16));
    // 3e9 becomes 2147483647 from f64, and 2147483520 from f32.
    STATIC_CHECK(check_fuse(between(f32, f64), between(f64, s32)) == refused(reason::one_pass_differs, f32, f64, s32));
    // A bf16 NaN loses its payload on the way through f32.
    STATIC_CHECK(check_fuse(between(bf16, f32), between(f32, bf16)) ==
                 refused(reason::one_pass_differs, bf16, f32, bf16));
    STATIC_CHECK(fuse(between(s8, f32), between(f32, s8)).moves_nothing());
}

TEST_CASE("fuse: powers of two and zero points join those of the second reorder if nothing is rounded") {
    // ((x - 3) / 2 + 5 - 1) * 0.7 is (x + 5) * 0.35.
    constexpr reorder_attributes first{.src_scale = 0.5f, .src_zero_point = 3, .dst_zero_point = 5};
    STATIC_CHECK(fuse(between(u8, f32, first), between(f32, s8, {.src_scale = 0.7f, .src_zero_point = 1})) ==
                 between(u8, s8, {.src_scale = 0.35f, .src_zero_point = -5}));
    // A zero point cannot be 1/2.
    STATIC_CHECK(
        check_fuse(between(u8, f32, {.src_scale = 2}), between(f32, s8, {.src_scale = 0.7f, .src_zero_point = 1})) ==
        refused(reason::attributes_round_between, u8, f32, s8));
    STATIC_CHECK(check_fuse(between(u8, f32, {.src_scale = 0.1f}), between(f32, s8)).reason ==
                 reason::attributes_round_between);
    // The middle type holds 255 / 2, but not 255 * 2^-10.
    STATIC_CHECK(check_fuse(between(u8, f16, {.src_scale = 0.5f}), between(f16, s8)).ok());
    STATIC_CHECK(check_fuse(between(u8, f8_e5m2, {.src_scale = 0.5f}), between(f8_e5m2, s8)).reason ==
                 reason::middle_type_rounds);
    // Twice the largest f32 is infinity, and half of the smallest is zero.
    for (const float scale : {2.0f, 0.5f})
        CHECK(check_fuse(between(f32, f32, {.src_scale = scale}), between(f32, s8)).reason ==
              reason::attributes_round_between);
    // 65504 * 2^120 is infinity, and the division by 2^120 does not change it.
    STATIC_CHECK(
        check_fuse(between(f16, f32, {.src_scale = 0x1p120f, .dst_scale = 0x1p120f}), between(f32, bf16)).reason ==
        reason::attributes_round_between);
    // -0 - 5 + 5 is +0: one zero point of 0 would keep the sign.
    STATIC_CHECK(
        check_fuse(between(f8_e4m3, f32, {.src_zero_point = 5, .dst_zero_point = 5}), between(f32, f16)).reason ==
        reason::attributes_round_between);
    STATIC_CHECK(
        fuse(between(u8, s32, {.dst_zero_point = -128}), between(s32, u8, {.src_zero_point = -128})).moves_nothing());
    // The second step computes in f64, but one pass from s8 to bf16 computes in f32.
    STATIC_CHECK(check_fuse(between(s8, f64), between(f64, bf16, {.src_scale = 0.1f})) ==
                 refused(reason::one_pass_differs, s8, f64, bf16));
    STATIC_CHECK(check_fuse(between(s8, f32, {.beta = 0.5f}), between(f32, f32)) ==
                 verdict{reason::beta_reads_the_middle, -1, 0x3f000000, 0});
    STATIC_CHECK(fuse(between(s8, f32), between(f32, f16, {.beta = 0.5f})) == between(s8, f16, {.beta = 0.5f}));
}

TEST_CASE("fuse: attributes by index follow their axes, if the order of the values stays") {
    constexpr layout read = permute_axes(nhwc, {0, 3, 1, 2});
    constexpr reorder_step turned{read, layout(read.dims, "abcd")};
    constexpr reorder_attributes by_channel{.src_scale = {scales, 1 << 1}};
    constexpr reorder_step one = fuse(reorder_step{nchw, nhwc, f32, s8, by_channel}, turned);
    STATIC_CHECK(one.attributes.src_scale.mask == 1 << 3);
    STATIC_CHECK(one.attributes.src_scale.values == scales);
    STATIC_CHECK(one.src == permute_axes(nchw, {0, 3, 1, 2}));
    STATIC_CHECK(one.dst == turned.dst);
    // Values along images and channels: a destination with exchanged axes would read them column by column.
    constexpr layout plain({2, 8}, "ab"), columns = permute_axes(plain, {1, 0});
    constexpr reorder_step all{plain, plain, f32, s8, {.src_scale = {scales, 3}}};
    STATIC_CHECK(fuse(all, reorder_step{columns, layout({8, 2}, "ab")}).dst == layout({2, 8}, strides{1, 2}));
    constexpr axis_change exchange{true, false, {1, 0}, {2, 8}, {8, 2}};
    STATIC_CHECK(!carry_mask(exchange, 3).has_value());
    STATIC_CHECK(carry_mask(exchange, 1) == 2);
    STATIC_CHECK(carry_mask({false, true, {}, {2, 8}, {2, 2, 4}}, 2) == 6);
    STATIC_CHECK(!carry_mask({false, true, {}, {2, 8}, {16}}, 2).has_value());
    STATIC_CHECK(carry_mask({false, true, {}, {2, 8}, {16}}, 3) == 1);
}

TEST_CASE("fuse: the second source is the first destination, with permuted axes or other dims; else fuse refuses") {
    constexpr layout flat({2, 16 * 9}, "ab"), across({2, 16 * 9}, "ba");
    STATIC_CHECK(fuse(reorder_step{nhwc, nchw}, reorder_step{flat, across}) ==
                 reorder_step{view(nhwc, {2, 144}), across});
    // 20 channels in two blocks of 16 cannot be joined with their pixels: the source stays, and the destination is
    // viewed with four axes.
    constexpr layout padded({2, 20, 3, 3}, "nChw16c"), plain({2, 20, 3, 3}, "nchw"), of_plain({2, 180}, "ab");
    STATIC_CHECK(fuse(reorder_step{padded, plain}, reorder_step{of_plain, layout({2, 180}, "ba")}) ==
                 reorder_step{padded, view(layout({2, 180}, "ba"), {2, 20, 3, 3})});
    // An axis of 180 elements in blocks of 7 cannot be viewed with four axes either.
    STATIC_CHECK(check_fuse(reorder_step{padded, plain}, reorder_step{of_plain, layout({2, 180}, "aB7b")}).reason ==
                 reason::axis_is_padded);
    STATIC_CHECK(check_fuse(to_last, {nchw, blocked}) == verdict{reason::middle_layouts_differ, -1, 288, 288});
    STATIC_CHECK(check_fuse(to_last, {row, row}) == verdict{reason::volumes_differ, -1, 288, 4});
    STATIC_CHECK(check_fuse(to_last, {nhwc, flat}).reason == reason::rank_differs);
}

TEST_CASE("fuse: lists and chains fuse from the left") {
    constexpr reorder_step all[] = {to_last, to_blocks, from_blocks, back};
    STATIC_CHECK(fuse(std::span(all)).moves_nothing());
    constexpr reorder_step types[] = {between(s8, f32), between(f32, f16), between(f16, s8), between(s8, f32)};
    STATIC_CHECK(try_fuse(std::span(types)).error() == verdict{});
    constexpr reorder_step rounding[] = {between(s8, f32), between(f32, u8), between(u8, f32)};
    STATIC_CHECK(check_fuse(std::span(rounding)).reason == reason::middle_type_saturates);
    const auto shorter = [](auto... step) {
        reorder_step steps[] = {step...};
        const int count = fuse_chain(steps);
        return count == 0 ? std::pair{count, reorder_step{}} : std::pair{count, steps[count - 1]};
    };
    STATIC_CHECK(shorter(to_last, to_blocks, from_blocks, back).first == 0);
    STATIC_CHECK(shorter(to_last, to_blocks) == std::pair{1, reorder_step{nchw, blocked}});
    STATIC_CHECK(shorter(reorder_step{nchw, nchw, f32, s8}, reorder_step{nchw, nhwc, s8, f32}, back) ==
                 std::pair{2, reorder_step{nchw, nchw, s8, f32}});
    STATIC_CHECK(shorter(to_last, back, to_last) == std::pair{1, to_last});
}

TEST_CASE("fuse: accepts steps as types, and returns one") {
    constexpr auto one = fuse(reorder_step_c<to_last>, reorder_step_c<to_blocks>);
    static_assert(std::is_same_v<decltype(one), const reorder_step_constant<reorder_step{nchw, blocked}>>);
    STATIC_CHECK(check_reorder(one.value.src, one.value.dst).ok());
}

TEST_CASE("value_set: from formats and limits; scaled by powers of two, moved by integers") {
    constexpr value_set half = values_of(f16);
    STATIC_CHECK(half.digits == 11 && half.last_digit == -24 && half.high == 65504);
    STATIC_CHECK(values_of(f64).last_digit == -1074);
    STATIC_CHECK(values_of(f32).last_digit == -149);
    STATIC_CHECK(values_of(s8).digits == 7 && values_of(s8).low == -128);
    STATIC_CHECK(loss_in(values_of(f8_e5m2), f16) == type_loss::none);
    STATIC_CHECK(loss_in(values_of(f8_e4m3), f8_e5m2) == type_loss::rounds);
    STATIC_CHECK(loss_in(values_of(u8), bf16) == type_loss::none);
    STATIC_CHECK(loss_in(minus_integer(values_of(u8), 1), bf16) == type_loss::none);
    STATIC_CHECK(loss_in(minus_integer(values_of(u8), -1), bf16) == type_loss::none);
    STATIC_CHECK(loss_in(minus_integer(values_of(u8), -2), bf16) == type_loss::rounds);
    STATIC_CHECK(loss_in(times_power_of_two(values_of(f16), 2), f16) == type_loss::saturates);
    STATIC_CHECK(loss_in(times_power_of_two(values_of(f64), 2), f64) == type_loss::rounds);
    STATIC_CHECK(loss_in(times_power_of_two(values_of(f8_e4m3), 512), s32) == type_loss::rounds);
    STATIC_CHECK(!is_power_of_two(0) && !is_power_of_two(-2) && !is_power_of_two(3) && is_power_of_two(0.25f));
}

TEST_CASE("exact_attributes_of: factors that are powers of two, for the whole tensor") {
    constexpr exact_attributes halved = exact_attributes_of({.src_scale = 0.5f, .dst_zero_point = 3});
    STATIC_CHECK((halved.known && halved.scale == 0.5 && halved.zero_point == 0 && halved.moved == 3));
    constexpr exact_attributes both = exact_attributes_of({.src_scale = 2, .dst_scale = 8, .src_zero_point = 5});
    STATIC_CHECK((both.known && both.scale == 0.25 && both.zero_point == 5 && both.moved == 0));
    STATIC_CHECK(!exact_attributes_of({.src_scale = 0.3f}).known);
}

}}  // namespace test_reorder_fusion
