#include <plait/bridge/shaped_reorder.hpp>
#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/typed/formats.hpp>

#include "bridge/shaped_cases.hpp"

#include <numeric>
#include <vector>

namespace test_bridge_shaped_reorder { namespace {

using namespace plait;
using namespace plait_test;

using blocked = nChw16c<2, 17, 3, 4>;
using packed = OIhw16i16o<17, 4, 2, 3>;
constexpr auto activations = axis_map_c<0, 3, 1, 2>;
constexpr auto weights = axis_map_c<3, 2, 0, 1>;

/// A blocked tensor of the shape (2, 3, 4, 17). Elements are numbered in the order of the shape, and padding is -7.
struct numbered_tensor {
    std::vector<float> data = std::vector<float>(blocked::value.element_span(), -7.0f);
    shaped_buffer<float, blocked, axis_map_constant<activations.value>> buffer{data.data(), blocked(), activations};
    numbered_tensor() {
        float number = 0;
        position p = origin(4);
        do buffer.at(p) = number++;
        while (advance(p, buffer.shape()));
    }
};

/// True if each to(p) is the converted from(p), and all other places of `to` are padding with zeros.
template <class From, class To>
bool is_copied(const From& from, const To& to) {
    std::size_t others = to.shaped().layout.element_span(), zeros = 0;
    for (std::size_t i = 0; i < others; ++i) zeros += to.data()[i] == 0;
    position p = origin(from.ndims());
    do {
        if (static_cast<float>(to.at(p)) != from.at(p)) return false;
        --others;
        zeros -= to.at(p) == 0;
    } while (advance(p, from.shape()));
    return from.shape() == to.shape() && zeros == others;
}

TEST_CASE("shaped_reorder: positions of the shape keep their elements, for static and run-time layouts") {
    const numbered_tensor from;
    std::vector<float> out(packed::value.element_span(), 9.0f);
    const shaped_buffer known(out.data(), packed(), weights);
    reorder(from.buffer, known);
    CHECK(is_copied(from.buffer, known));
    const std::vector<float> expected = out;

    const shaped_buffer late_from(from.buffer.data(), from.buffer.shaped()), late(out.data(), known.shaped());
    const auto writes_the_same = [&](const auto& a, const auto& b) {
        std::fill(out.begin(), out.end(), 9.0f);
        reorder(a, b);
        return out == expected;
    };
    CHECK(writes_the_same(late_from, late));
    CHECK(writes_the_same(from.buffer, late));
    CHECK(writes_the_same(late_from.as_const(), known));
    const auto partly = bind(OIhw16i16o<17, dynamic, 2, dynamic>(), 4, 3);
    CHECK(writes_the_same(from.buffer.as_const(), shaped_buffer(out.data(), partly, weights)));
}

TEST_CASE("shaped_reorder: elements are converted") {
    const numbered_tensor from;
    std::vector<std::int32_t> out(408);
    const shaped_buffer plain(out.data(), abcd<2, 3, 4, 17>(), axis_map_c<0, 1, 2, 3>);
    reorder(from.buffer, plain);
    std::vector<std::int32_t> expected(408);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(out == expected);
}

TEST_CASE("shaped_reorder: in_format is the shaped layout of an operand's copy") {
    const shaped_layout s = numbered_tensor().buffer.shaped();
    const shaped_layout made = in_format(s, weights, "OIhw16i16o");
    CHECK(made == shaped_layout(packed::value, weights));
    CHECK(made.shape() == s.shape());
    STATIC_CHECK(in_format({layout({2, 5, 3, 4}, "nChw8c"), {0, 3, 1, 2}}, {0, 3, 1, 2}, "nhwc").layout ==
                 layout({2, 5, 3, 4}, "nhwc"));
    CHECK(check_in_format(s, weights, "OIhw16i16o").ok());
    CHECK(check_in_format(s, {0, 1}, "OIhw16i16o") == verdict{reason::rank_differs, -1, 2, 4});
    CHECK(check_in_format(s, weights, "nc").reason == reason::rank_differs);
    CHECK(check_in_format(s, weights, "any") == check_reorder(s.layout, layout({17, 4, 2, 3}, "any")));
    CHECK(check_in_format(s, weights, "any").reason == reason::layout_is_any);
    CHECK((refusal_of([&] { return in_format(s, weights, "any"); }).reason == reason::layout_is_any));
    CHECK(!try_in_format(s, {0, 1}, "nchw").has_value());
}

TEST_CASE("shaped_reorder: reorders into the copy that a reshape needs") {
    const numbered_tensor from;
    constexpr reshaped_copy copy = reshape_copy({blocked::value, activations}, {2, 204});
    std::vector<float> out(copy.to.layout.element_span());
    reorder(from.buffer, shaped_buffer(out.data(), copy.to));
    const shaped_buffer flat(out.data(), copy.result);
    for (dim_t n = 0; n < 2; ++n)
        for (dim_t i = 0; i < 204; ++i) CHECK(flat(n, i) == static_cast<float>(n * 204 + i));
}

TEST_CASE("shaped_reorder: each verdict counts axes as the shape does") {
    const numbered_tensor from;
    std::vector<float> out(packed::value.element_span(), 9.0f);
    // 2 x 3 x 4 x 18: channels are axis 3 of the shape, axis 1 of nchw and axis 0 of oihw.
    const shaped_buffer other(out.data(), shaped_layout(layout({18, 4, 2, 3}, "oihw"), weights));
    CHECK(check_reorder(from.buffer, other) == verdict{reason::dims_differ, 3, 17, 18});
    CHECK((refusal_of([&] { return reorder(from.buffer, other), 0; }) == check_reorder(from.buffer, other)));
    const shaped_layout s = from.buffer.shaped();
    CHECK(check_reorder(s, {layout({2, 3}, "ab"), {0, 1}}) == verdict{reason::rank_differs, -1, 4, 2});
    const shaped_layout repeated(layout({17, 4, 2, 3}, strides{1, 0, 51, 17}), weights);
    CHECK(check_reorder(s, repeated) == verdict{reason::destination_is_not_injective, 2, 4, 0});
    CHECK(check_reorder(shaped_layout(), s).reason == reason::layout_is_undefined);
    CHECK(check_reorder(s, shaped_layout()).reason == reason::layout_is_undefined);
    // A reorder into its own memory is refused before it writes.
    const shaped_buffer itself(from.buffer.data(), in_format(s, activations, "nhwc"));
    CHECK((refusal_of([&] { return reorder(from.buffer, itself), 0; }).reason == reason::spans_overlap));
    CHECK(try_reorder(from.buffer, itself).error().reason == reason::spans_overlap);
    CHECK(try_reorder(from.buffer, other).error() == check_reorder(from.buffer, other));
    CHECK(from.data == numbered_tensor().data);
    CHECK((out == std::vector<float>(packed::value.element_span(), 9.0f)));
}

TEST_CASE("shaped_reorder: attributes count the axes of the shape, for static and run-time layouts, also on threads") {
    const numbered_tensor from;
    const dims shape{2, 3, 4, 17};
    std::vector<float> by_channel(17), by_row_and_channel(3 * 17);
    for (std::size_t i = 0; i < by_channel.size(); ++i) by_channel[i] = static_cast<float>(1 << i % 5);
    for (std::size_t i = 0; i < by_row_and_channel.size(); ++i) by_row_and_channel[i] = static_cast<float>(i + 1);
    const std::vector<std::int32_t> zeros{3, -1};
    const reorder_attributes cases[] = {{.src_scale = {by_channel, 1 << 3}},
                                        {.src_scale = {by_row_and_channel, 1 << 1 | 1 << 3}, .beta = 2},
                                        {.src_scale = 0.5f, .dst_zero_point = {zeros, 1 << 0}}};
    for (const reorder_attributes& attributes : cases) {
        const auto wanted = [&](const position& p) {
            const auto channel = static_cast<std::size_t>(p[3]), row = static_cast<std::size_t>(p[1]);
            float x = from.buffer.at(p);
            if (attributes.src_scale.mask == 1 << 3) x *= by_channel[channel];
            else if (attributes.src_scale.mask != 0) x *= by_row_and_channel[row * 17 + channel];
            else x *= 0.5f;
            x += attributes.beta * 9;
            return attributes.dst_zero_point.mask != 0 ? x + static_cast<float>(zeros[static_cast<std::size_t>(p[0])])
                                                       : x;
        };
        const auto is_right = [&](const auto& reordered) {
            std::vector<float> out(packed::value.element_span(), 9.0f);
            const shaped_buffer known(out.data(), packed(), weights);
            reordered(known);
            position p = origin(4);
            bool right = true;
            do right = right && known.at(p) == wanted(p);
            while (advance(p, shape));
            return right;
        };
        const shaped_buffer late(from.buffer.data(), from.buffer.shaped());
        CHECK(is_right([&](const auto& to) { reorder(from.buffer, to, attributes); }));
        CHECK(is_right([&](const auto& to) { reorder(late, to, attributes); }));
        CHECK(is_right([&](const auto& to) {
            reorder(from.buffer.as_const(), shaped_buffer(to.data(), to.shaped()), attributes);
        }));
        CHECK(is_right([&](const auto& to) { reorder(sequential, from.buffer, to, attributes); }));
        CHECK(is_right([&](const auto& to) { CHECK(try_reorder(sequential, late, to, attributes)); }));
    }
    std::vector<float> out(packed::value.element_span(), 9.0f);
    const shaped_buffer to(out.data(), packed(), weights);
    // 17 values for an axis of 3: refused, with the axes of the shape, before anything is written.
    const reorder_attributes of_another_axis{.src_scale = {by_channel, 1 << 1}};
    CHECK(try_reorder(from.buffer, to, of_another_axis).error() == check_attributes(of_another_axis, shape));
    CHECK(!check_attributes(of_another_axis, shape).ok());
    CHECK((out == std::vector<float>(packed::value.element_span(), 9.0f)));
}

TEST_CASE("shaped_reorder: on threads, as without") {
    const numbered_tensor from;
    std::vector<float> out(packed::value.element_span(), 9.0f);
    const shaped_buffer known(out.data(), packed(), weights);
    const shaped_buffer late(out.data(), known.shaped());
    reorder(sequential, from.buffer, known);
    CHECK(is_copied(from.buffer, known));
    std::fill(out.begin(), out.end(), 9.0f);
    reorder(sequential, from.buffer.as_const(), late);
    CHECK(is_copied(from.buffer, known));
    CHECK(try_reorder(sequential, from.buffer,
                      shaped_buffer(from.buffer.data(), in_format(from.buffer.shaped(), activations, "nhwc")))
              .error()
              .reason == reason::spans_overlap);
}

template <class... Arguments>
concept is_reordered = requires(const Arguments&... arguments) {
    reorder(arguments...);
};
using buffer_of_floats = decltype(numbered_tensor::buffer);
static_assert(is_reordered<buffer_of_floats, buffer_of_floats>);
static_assert(is_reordered<sequential_executor, buffer_of_floats, buffer_of_floats, reorder_attributes>);
static_assert(
    !is_reordered<buffer_of_floats, shaped_buffer<const float, blocked, axis_map_constant<activations.value>>>);
static_assert(!is_reordered<buffer_of_floats, float*>);
static_assert(!is_reordered<int, buffer_of_floats, buffer_of_floats>);
}}  // namespace test_bridge_shaped_reorder
