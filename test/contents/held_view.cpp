#include <plait/contents/zero_pad.hpp>

#include "view/view_cases.hpp"

#include <plait/contents/held_operations.hpp>
#include <plait/view/for_each_element.hpp>

namespace test_contents_held_view { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

/// A model of has_no_padding: true if a visit of all padding visits nothing.
bool visits_no_padding(const layout& l) {
    return visit_padding(l, [](const place_box&) { return false; });
}

template <class X>
float sum_of_view(const tensor_view<const float, X>& x) {
    float sum = 0;
    for_each_element(x, [&](float value) { sum += value; });
    return sum;
}
template <class V>
concept summed = requires(const V& v) {
    sum_of_view(v);
};
float sum_of_blocks(zero_padded auto x) {
    float sum = 0;
    for (dim_t cb = 0; cb < x.blocks(1); ++cb)
        for (const float value : x.block(0, cb, 0, 0)) sum += value;
    return sum;
}
template <class V>
concept summed_by_blocks = requires(const V& v) {
    sum_of_blocks(v);
};
template <class X>
constexpr int kind_of(zero_padded_view<const float, X>) {
    return 1;
}

using padded = nChw16c<1, 17, 2, 2>;
using whole = nChw16c<1, 32, 2, 2>;

TEST_CASE("has_no_padding: true exactly if zero_pad visits nothing for any value of the dynamic extents") {
    CHECK(cases_that_fail([]<layout L>() { return has_no_padding(L) == visits_no_padding(L); }) == none_of_them);
    for (const format_tag& tag : {format_tag("nchw"), format_tag("nhwc"), format_tag("nChw16c"), format_tag("Nchw16n")})
        for (const dims& open : {dims{dynamic, 32, 2, 2}, dims{16, dynamic, 2, 2}, dims{dynamic, 17, dynamic, 2}}) {
            bool never = true;
            for (dim_t n = 0; n <= 32; ++n) {
                dims values;
                for (const dim_t extent : open)
                    if (extent == dynamic) values.push_back(n);
                never = never && visits_no_padding(bind(layout(open, tag), values));
            }
            // A tensor with an extent of 0 has no padding, so the other extents decide.
            CHECK(has_no_padding(layout(open, tag)) == never);
        }
    STATIC_CHECK(has_no_padding(layout({0, 17, 2, 2}, "nChw16c")));  // a tensor without elements has no padding
    CHECK(!has_no_padding(layout()));
    CHECK(!has_no_padding(layout({2, 3}, "any")));
}

TEST_CASE("contents_of: padding is zero if the layout has none, or if the type has zero padding") {
    static_assert(zero_padded<tensor_view<float, whole>> && !zero_padded<tensor_view<float, padded>>);
    static_assert(zero_padded<tensor_view<const float, nchw<1, 17, 2, 2>>&>);
    static_assert(!zero_padded<tensor_view<float, layout>>);  // the layout may be padded
    static_assert(zero_padded<zero_padded_view<float, layout>>);
    static_assert(zero_padded<tensor_view<float, bound_layout<layout({dynamic, 32, 2, 2}, "nChw16c")>>>);
    static_assert(!zero_padded<tensor_view<float, bound_layout<layout({2, dynamic, 2, 2}, "nChw16c")>>>);
    static_assert(!zero_padded<held_view<float, padded, padding_state::unknown>>);
    static_assert(zero_padded<held_view<float, whole, padding_state::unknown>>);
    static_assert(contents_of<tensor_view<float, padded>> == tensor_contents{});
    static_assert(contents_of<const zero_padded_view<float, padded>&> ==
                  tensor_contents{.padding = padding_state::zero, .scale = {}, .zero_point = {}, .compensation = {}});
}

TEST_CASE("held_view: is a tensor_view of constant elements, of the same size") {
    std::vector<float> data = numbered<float>(padded::value);
    const auto v = zero_pad(tensor_view(data.data(), padded()));
    static_assert(sizeof(v) == sizeof(float*));
    CHECK(sum_of_view(v) == (0 + 63) * 32 + 64 + 80 + 96 + 112);  // 64 places of 16 channels, and 4 of the 17th
    CHECK(sum_of_blocks(v) == 120 + 64);
    CHECK(&v(0, 16, 1, 0) == &v.stored()(0, 16, 1, 0));
    CHECK(&v.at(position{0, 16, 1, 0}) == &v.at(0, 16, 1, 0));
    v(0, 16, 1, 0) = 3;  // positions address elements only, so a write leaves padding zero
    v.at(0, 15, 1, 0) = 4;
    CHECK(is_padding_zero(v));
    static_assert(std::is_same_v<decltype(v(0, 0, 0, 0)), float&>);
    static_assert(std::is_same_v<decltype(v.block(0, 0, 0, 0)), std::span<const float, 16>>);
    static_assert(std::is_same_v<decltype(v.stored()), tensor_view<float, padded>>);
    CHECK_THROWS_AS(static_cast<void>(v.at(0, 17, 0, 0)), rejection);
}

TEST_CASE("held_view: a kernel that reads blocks accepts zero padding or no padding, and nothing else") {
    static_assert(summed_by_blocks<zero_padded_view<float, padded>> && summed_by_blocks<tensor_view<float, whole>>);
    static_assert(!summed_by_blocks<tensor_view<float, padded>>);
    static_assert(!summed_by_blocks<held_view<float, padded, padding_state::unknown>>);
    static_assert(summed<tensor_view<const float, padded>> && summed<zero_padded_view<float, padded>>);
}

TEST_CASE("held_view: converts to types with fewer promises, never to types with more") {
    using zero = zero_padded_view<float, padded>;
    using unknown = held_view<float, padded, padding_state::unknown>;
    using read_only = zero_padded_view<const float, padded>;
    static_assert(std::is_convertible_v<zero, unknown> && !std::is_convertible_v<unknown, zero>);
    static_assert(std::is_convertible_v<zero, read_only> && !std::is_convertible_v<read_only, zero>);
    static_assert(std::is_convertible_v<zero, tensor_view<const float, padded>>);
    static_assert(!std::is_convertible_v<zero, tensor_view<float, padded>>);
    static_assert(!std::is_convertible_v<tensor_view<float, padded>, zero>);
    static_assert(std::is_convertible_v<tensor_view<float, whole>, zero_padded_view<float, whole>>);
    static_assert(!std::is_convertible_v<tensor_view<float, layout>, zero_padded_view<float, layout>>);
    std::vector<float> data(padded::value.element_span());
    CHECK(kind_of(assume_zero_padding(tensor_view(data.data(), padded())).as_const()) == 1);
}

TEST_CASE("held_view: each check names the promise that the type lacks") {
    using view = tensor_view<float, padded>;
    CHECK(check_zero_padded<view>() == verdict{reason::padding_is_not_zero, 1, 17, 32});
    CHECK(check_zero_padded<tensor_view<float, layout>>() == verdict{reason::padding_is_not_zero});
    CHECK(check_zero_padded<tensor_view<float, bound_layout<layout({2, dynamic, 2, 2}, "nChw16c")>>>() ==
          verdict{reason::padding_is_not_zero, 1, dynamic, dynamic});
    constexpr tensor_compensation sums{.s8s8 = true, .s8s8_mask = 1};
    constexpr tensor_compensation others{.s8s8 = true, .s8s8_mask = 2};
    constexpr tensor_compensation both{
        .s8s8 = true, .asymmetric_source = true, .s8s8_mask = 1, .asymmetric_source_mask = 3};
    constexpr tensor_compensation halved{.scale_adjust_bits = std::bit_cast<std::int32_t>(0.5f)};
    using weights = held_view<std::int8_t, padded, padding_state::zero, both>;
    static_assert(compensated_by<weights, sums> && compensated_by<weights, both> && !compensated_by<weights, others>);
    static_assert(compensated_by<weights, tensor_compensation{}> && !compensated_by<view, sums>);
    CHECK(check_compensated<view, both>() == verdict{reason::compensation_is_missing, -1, 0, 3});
    CHECK(check_compensated<weights, others>() == verdict{reason::compensation_mask_differs, -1, 1, 2, 1});
    CHECK(check_compensated<weights, tensor_compensation{.asymmetric_source = true, .asymmetric_source_mask = 1}>() ==
          verdict{reason::compensation_mask_differs, -1, 3, 1, 2});
    static_assert(plain_values<weights> && summed<zero_padded_view<float, padded>>);
    using scaled = held_view<float, padded, padding_state::zero, halved>;
    static_assert(!plain_values<scaled> && !summed<scaled> && !quantized<scaled>);
    CHECK(check_plain_values<scaled>() == verdict{reason::values_are_quantized, -1, 0, 0});
}

TEST_CASE("extra_of: extra_of(compensation_of(e)) is e") {
    for (const extra& e :
         {extra{}, extra{true, false, 3, 0, 1}, extra{true, true, 1, 2, 0.5f}, extra{false, true, 0, 4, 2}})
        CHECK(extra_of(compensation_of(e)) == e);
}

}}  // namespace test_contents_held_view
