#include <plait/contents/reorder_views.hpp>

#include "view/view_cases.hpp"

#include <plait/contents/zero_pad.hpp>
#include <plait/reorder/converted_rows.hpp>
#include <plait/typed/formats.hpp>

#include <algorithm>
#include <utility>

namespace test_contents_reorder_views { namespace {

using namespace plait;
using namespace plait_test;

using plain = nchw<1, 17, 3, 2>;
using blocked = nChw16c<1, 17, 3, 2>;
constexpr float by_channel[] = {0.5f, 1, 2, 0.25f, 4, 0.5f, 1, 2, 0.25f, 4, 1, 2, 0.5f, 1, 2, 1, 0.125f};

/// Runs the chunks one after the other, and counts them.
struct counting_executor {
    int chunks = 0;

    static int concurrency() { return 4; }
    template <class Chunk>
    void run(int count, Chunk&& chunk) {
        chunks += count;
        for (int i = count - 1; i >= 0; --i) chunk(i);
    }
};

/// Returns the result of the reference, with other bytes in places that it does not write.
template <class U, class T>
std::vector<U> reference(const std::vector<T>& in, const reorder_attributes& attributes = {}) {
    std::vector<U> out(blocked::value.element_span(), U(99));
    reference_reorder(plain::value, in.data(), blocked::value, out.data(), attributes);
    return out;
}

TEST_CASE(
    "reorder of views: writes the bytes that a reorder of pointers writes, and returns a view with zero padding") {
    const std::vector<float> in = numbered<float>(plain::value);
    std::vector<float> out(blocked::value.element_span(), 99);
    const auto held = reorder(tensor_view(in.data(), plain()), tensor_view(out.data(), blocked()));
    static_assert(std::is_same_v<decltype(held), const zero_padded_view<float, blocked>>);
    CHECK(held.data() == out.data());
    CHECK(is_padding_zero(held));
    CHECK(out == reference<float>(in));
    // The held view can be reordered back.
    std::vector<float> back(in.size());
    static_cast<void>(reorder(held, tensor_view(back.data(), plain())));
    CHECK(back == in);
    // try_reorder returns a verdict for a reorder into its own memory, and throws nothing.
    CHECK(try_reorder(tensor_view(in.data(), plain()), tensor_view(out.data(), blocked())));
    CHECK(out == reference<float>(in));
    CHECK(try_reorder(held, tensor_view(out.data(), plain())).error().reason == reason::spans_overlap);
    CHECK(out == reference<float>(in));
}

TEST_CASE("reorder of views: quantises numbers, and dequantises them again") {
    std::vector<float> in(plain::value.element_span());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 11) - 4;
    std::vector<std::int8_t> codes(blocked::value.element_span(), 99);
    const auto to =
        with_quantization(tensor_view(codes.data(), blocked()), per_index<1>(by_channel), per_tensor(std::int32_t{3}));
    static_assert(!zero_padded<decltype(to)>);
    const auto q = reorder(tensor_view(in.data(), plain()), to);
    static_assert(zero_padded<decltype(q)> && quantized_by<decltype(q), 1 << 1>);
    CHECK(is_padding_zero(q));
    CHECK(codes == reference<std::int8_t>(in, {.dst_scale = {by_channel, 1 << 1}, .dst_zero_point = 3}));
    std::vector<float> out(in.size());
    const auto back = reorder(q, tensor_view(out.data(), plain()));
    static_assert(plain_values<decltype(back)>);
    for (dim_t c = 0; c < 17; ++c)
        for (dim_t h = 0; h < 3; ++h)
            for (dim_t w = 0; w < 2; ++w) CHECK(back(0, c, h, w) == dequantize(q, 0, c, h, w));
    // A reorder from one quantisation to another takes one pass.
    std::vector<std::int8_t> others(blocked::value.element_span(), 99), wanted = others;
    const auto other = reorder(q, with_quantization(tensor_view(others.data(), blocked()), per_tensor(0.5f)));
    reference_reorder(blocked::value, codes.data(), blocked::value, wanted.data(),
                      {.src_scale = {by_channel, 1 << 1}, .dst_scale = 0.5f, .src_zero_point = 3});
    CHECK(others == wanted);
    static_assert(quantized_by<decltype(other), 0>);
}

TEST_CASE(
    "reorder of views: takes attributes and an executor, and writes what a reorder of pointers writes with them") {
    std::vector<float> in(plain::value.element_span());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 11) - 4;
    const tensor_view from(in.data(), plain());
    const reorder_attributes attributes{.dst_scale = {by_channel, 1 << 1}, .dst_zero_point = 3};
    const std::vector<std::int8_t> wanted = reference<std::int8_t>(in, attributes);
    counting_executor threads;
    const auto writes = [&](const auto& move) {
        std::vector<std::int8_t> codes(wanted.size(), 99);
        move(tensor_view(codes.data(), blocked()));
        return codes;
    };
    CHECK(wanted == writes([&](const auto& to) {
              const auto held = reorder(from, to, {.dst_scale = {by_channel, 1 << 1}, .dst_zero_point = 3});
              static_assert(std::is_same_v<decltype(held), const zero_padded_view<std::int8_t, blocked>>);
              CHECK(held.data() == to.data());
          }));
    CHECK(wanted == writes([&](const auto& to) { CHECK(try_reorder(from, to, attributes)); }));
    CHECK(wanted == writes([&](const auto& to) {
              const auto held = reorder(threads, from, to, attributes);
              static_assert(std::is_same_v<decltype(held), const zero_padded_view<std::int8_t, blocked>>);
          }));
    CHECK(wanted == writes([&](const auto& to) { CHECK(try_reorder(threads, from, to, attributes)); }));
    // Attributes that change nothing, written as an empty list.
    const std::vector<std::int8_t> plain_codes = reference<std::int8_t>(in);
    CHECK(plain_codes == writes([&](const auto& to) { static_cast<void>(reorder(from, to, {})); }));
    CHECK(plain_codes == writes([&](const auto& to) { static_cast<void>(reorder(threads, from, to)); }));
    // A quantised view has its attributes on threads, too.
    CHECK(wanted == writes([&](const auto& to) {
              const auto codes = with_quantization(to, per_index<1>(by_channel), per_tensor(std::int32_t{3}));
              static_assert(quantized_by<decltype(reorder(threads, from, codes)), 1 << 1>);
              CHECK(try_reorder(threads, from, codes));
          }));
    // What check_attributes refuses is refused before anything is written.
    CHECK(writes([&](const auto& to) {
              CHECK(try_reorder(from, to, {.dst_scale = {by_channel, 1 << 0}}).error().reason ==
                    reason::mask_has_other_values);
              CHECK_THROWS_AS(static_cast<void>(reorder(threads, from, to, {.dst_scale = 0.0f})), rejection);
          }) == std::vector<std::int8_t>(wanted.size(), 99));
}

TEST_CASE("reorder of views: a large tensor is moved in chunks by the executor") {
    using rows = formats::ab<1024, 768>;
    using columns = formats::ba<1024, 768>;
    std::vector<float> in(rows::value.element_span()), out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    counting_executor threads;
    const auto held =
        reorder(threads, tensor_view(std::as_const(in).data(), rows()), tensor_view(out.data(), columns()));
    CHECK(threads.chunks > 1);
    CHECK(held(1, 2) == in[768 + 2]);
    CHECK(out[2 * 1024 + 1] == in[768 + 2]);
    CHECK(std::ranges::all_of(out, [&, at = std::size_t{0}](float x) mutable {
        const std::size_t place = at++;
        return x == static_cast<float>(place % 1024 * 768 + place / 1024);
    }));
}

TEST_CASE("reorder of views: does not accept constant destinations, run-time layouts or containers") {
    const auto takes = [](const auto& from, const auto& to) {
        return requires { reorder(from, to); };
    };
    std::vector<float> data(blocked::value.element_span());
    const tensor_view v(data.data(), blocked());
    CHECK(takes(v, v));
    CHECK(!takes(v, v.as_const()));
    CHECK(!takes(v, tensor_view(data.data(), layout(blocked::value))));
    CHECK(!takes(data, v));
    CHECK(!takes(v, data));
    const auto takes_attributes = [](const auto& from, const auto& to) {
        return requires { reorder(from, to, reorder_attributes()); };
    };
    const auto quantized = with_quantization(v, per_tensor(0.5f));
    CHECK(takes(quantized, v));
    CHECK(takes_attributes(v, v));
    CHECK(!takes_attributes(quantized, v));
    CHECK(!takes_attributes(v, quantized));
    CHECK(!takes_attributes(v, v.as_const()));
    const auto takes_first = [](const auto& first, const auto& from, const auto& to) {
        return requires { reorder(first, from, to); };
    };
    CHECK(takes_first(sequential, v, v));
    CHECK(takes_first(sequential, quantized, v));
    CHECK(!takes_first(2, v, v));
    CHECK(!takes_first(v, v, sequential));
    CHECK(!takes_first(sequential, v, v.as_const()));
}

}}  // namespace test_contents_reorder_views
