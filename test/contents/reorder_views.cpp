#include <plait/contents/reorder_views.hpp>

#include "view/view_cases.hpp"

#include <plait/contents/zero_pad.hpp>

namespace test_contents_reorder_views {

using namespace plait;
using namespace plait_test;

namespace {

using plain = nchw<1, 17, 3, 2>;
using blocked = nChw16c<1, 17, 3, 2>;
constexpr float by_channel[] = {0.5f, 1, 2, 0.25f, 4, 0.5f, 1, 2, 0.25f, 4, 1, 2, 0.5f, 1, 2, 1, 0.125f};

/// Returns the result of the reference, with other bytes in places that it does not write.
template <class U, class T>
std::vector<U> reference(const std::vector<T>& in, const reorder_attributes& attributes = {}) {
    std::vector<U> out(blocked::value.element_span(), U(99));
    reference_reorder(plain::value, in.data(), blocked::value, out.data(), attributes);
    return out;
}

}  // namespace

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
}

}  // namespace test_contents_reorder_views
