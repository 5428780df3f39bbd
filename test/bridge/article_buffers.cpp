// The article of test/bridge/article.cpp in memory: its programs for buffers, written with shaped buffers.

#include <plait/bridge/shaped_reorder.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/typed/concepts.hpp>
#include <plait/typed/formats.hpp>

#include "bridge/shaped_cases.hpp"

#include <numeric>
#include <vector>

namespace test_bridge_article_buffers { namespace {

using namespace plait;
using namespace plait_test;

constexpr auto activations = axis_map_of<"nchw", "nhwc">();
constexpr auto in_framework = axis_map_c<0, 1, 2, 3>;

/// The framework's convolution in the framework's axis order: y(n, h, w, o) of x(n, h, w, i) and filters f(r, s, i, o).
template <class X, class F, class Y>
void framework_convolution(const X& x, const F& f, const Y& y) {
    const dims to = y.shape(), window = f.shape();
    position p = origin(4);
    do {
        float sum = 0;
        for (dim_t r = 0; r < window[0]; ++r)
            for (dim_t s = 0; s < window[1]; ++s)
                for (dim_t i = 0; i < window[2]; ++i) sum += x(p[0], p[1] + r, p[2] + s, i) * f(r, s, i, p[3]);
        y(p[0], p[1], p[2], p[3]) = sum;
    } while (advance(p, to));
}

/// The library's convolution in the library's axis order: y(n, o, h, w) of x(n, i, h, w) and f(o, i, r, s), all views.
template <class X, class F, class Y>
    requires(with_axes<typename X::layout_in_type, "nchw">&& with_axes<typename F::layout_in_type, "oihw">)
void library_convolution(const X& x, const F& f, const Y& y) {
    for (dim_t n = 0; n < y.extent(0); ++n)
        for (dim_t o = 0; o < y.extent(1); ++o)
            for (dim_t h = 0; h < y.extent(2); ++h)
                for (dim_t w = 0; w < y.extent(3); ++w) {
                    float sum = 0;
                    for (dim_t i = 0; i < f.extent(1); ++i)
                        for (dim_t r = 0; r < f.extent(2); ++r)
                            for (dim_t s = 0; s < f.extent(3); ++s) sum += x(n, i, h + r, w + s) * f(o, i, r, s);
                    y(n, o, h, w) = sum;
                }
}
template <class X, class F>
concept can_convolve = requires(X x, F f) {
    library_convolution(x, f, x);
};

/// A row-major buffer of a framework, filled with small whole numbers.
template <dim_t... Extents>
struct plain_tensor {
    std::vector<float> data = std::vector<float>((Extents * ...));
    shaped_buffer<float, abcd<Extents...>, axis_map_constant<in_framework.value>> buffer{
        data.data(), abcd<Extents...>(), in_framework};
    explicit plain_tensor(int seed = 0) {
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>((i * 7 + std::size_t(seed)) % 5) - 2;
    }
};

/// The result of conv1, shape (2, 3, 4, 5), in the library's blocks of 8 channels. Padding is NaN.
struct result_of_conv1 {
    using blocked = nChw8c<2, 5, 3, 4>;
    plain_tensor<2, 3, 4, 5> plain{3};
    std::vector<float> data = std::vector<float>(blocked::value.element_span(), 1e30f);
    shaped_buffer<float, blocked, axis_map_constant<activations.value>> buffer =
        as_result<"nchw", "nhwc">(tensor_view(data.data(), blocked()));
    result_of_conv1() { reorder(plain.buffer, buffer); }
};

/// True if both buffers have equal elements at every position of the shape.
template <class A, class B>
bool same_elements(const A& a, const B& b) {
    if (a.shape() != b.shape()) return false;
    position p = origin(a.ndims());
    do
        if (a.at(p) != b.at(p)) return false;
    while (advance(p, a.shape()));
    return true;
}

TEST_CASE("bridge: 'Shaped buffer is a buffer and a tuple (n_0, ..., n_D) that is called shape'") {
    const result_of_conv1 made;
    CHECK((made.buffer.shape() == dims{2, 3, 4, 5} && made.buffer.data() == made.data.data()));
    CHECK(same_elements(made.buffer, made.plain.buffer));
}

TEST_CASE("bridge: 3 'It is simply buffer of 120 elements, with shape (2, 3, 4, 5)'") {
    const result_of_conv1 made;
    // "At this very moment we can say, that Batch = 2, Height = 3, Width = 4, and Channels = 5."
    const auto source = as_operand<"nchw", "nhwc">(made.buffer);
    CHECK((source.extent(0) == 2 && source.extent(2) == 3 && source.extent(3) == 4 && source.extent(1) == 5));
    CHECK((volume(made.buffer.shape()) == 120 && made.buffer.shape() == dims{2, 3, 4, 5}));
    // "Here, this buffer has the following meaning: Height = 2, Width = 3, Input Channels = 4, and Output Channels
    // = 5."
    const auto weights = as_operand<"oihw", "hwio">(made.buffer);
    CHECK((weights.extent(2) == 2 && weights.extent(3) == 3 && weights.extent(1) == 4 && weights.extent(0) == 5));
}

TEST_CASE("bridge: 3 'mem2 = dnnl_memory(permute_axes(mem1.md, perm), mem1.ptr)'") {
    const result_of_conv1 made;
    const auto mem2 = as_operand<"oihw", "hwio">(made.buffer);
    CHECK(mem2.data() == made.data.data());
    STATIC_CHECK(decltype(mem2)::layout_in_type::value == permute_axes(result_of_conv1::blocked::value, {2, 0, 3, 1}));
    // as_operand of a run-time layout returns an equal layout of that memory.
    const shaped_buffer late(made.buffer.data(), made.buffer.shaped());
    const auto mem3 = as_operand(late, axis_map{3, 2, 0, 1});
    CHECK((mem3.data() == made.data.data() && mem3.layout() == decltype(mem2)::layout_in_type::value));
}

TEST_CASE("bridge: 3 'Execute conv2 with the weights': the framework's result, from the library's memory") {
    const result_of_conv1 made;
    const plain_tensor<1, 6, 7, 4> x{1};
    plain_tensor<1, 5, 5, 5> expected;
    framework_convolution(x.buffer, made.plain.buffer, expected.buffer);

    std::vector<float> blocked_x(nChw8c<1, 4, 6, 7>::value.element_span()), y(nChw8c<1, 5, 5, 5>::value.element_span());
    const auto source = as_result<"nchw", "nhwc">(tensor_view(blocked_x.data(), nChw8c<1, 4, 6, 7>()));
    const auto result = as_result<"nchw", "nhwc">(tensor_view(y.data(), nChw8c<1, 5, 5, 5>()));
    reorder(x.buffer, source);
    library_convolution(as_operand<"nchw", "nhwc">(source), as_operand<"oihw", "hwio">(made.buffer), result.memory());
    CHECK(same_elements(result, expected.buffer));
}

TEST_CASE("bridge: 4.1 'buf1 + buf2': the shapes do not match, and match transposed") {
    float data1[] = {0, 1, 2, 3, 4, 5}, data2[] = {0, 3, 1, 4, 2, 5};
    const shaped_buffer buf1(data1, formats::ab<2, 3>(), axis_map_c<0, 1>);
    const shaped_buffer buf2(data2, formats::ab<3, 2>(), axis_map_c<0, 1>);
    CHECK((buf1.shape() == dims{2, 3} && buf2.shape() == dims{3, 2}));
    CHECK(check_reorder(buf2, buf1) == verdict{reason::dims_differ, 0, 3, 2});
    const auto buf2t = transpose(buf2);
    CHECK((check_reorder(buf2t, buf1).ok() && same_elements(buf2t, buf1)));
    CHECK(buf2t.data() == data2);
    for (dim_t i = 0; i < 2; ++i)
        for (dim_t j = 0; j < 3; ++j) CHECK(buf1(i, j) + buf2t(i, j) == 2 * static_cast<float>(3 * i + j));
}

TEST_CASE("bridge: 4.1 both options have the framework's transposed tensor") {
    // buf2 = [[0, 3], [1, 4], [2, 5]] in memory of the format ab with the permutation (10)
    float data[] = {0, 1, 2, 3, 4, 5}, copy_ba[6], option2[6];
    const shaped_buffer buf2(data, formats::ab<2, 3>(), axis_map_c<1, 0>);
    CHECK((buf2.shape() == dims{3, 2} && buf2(0, 1) == 3 && buf2(2, 0) == 2));
    const auto buf2t = transpose(buf2);  // option 1: no data moves
    // Option 1 in the article's format ba: a reorder into a copy.
    const shaped_buffer in_ba(copy_ba, formats::ba<2, 3>(), axis_map_c<0, 1>);
    reorder(buf2t, in_ba);
    // Option 2: the permutation (10) and the format ab are kept, and the data is transposed.
    const shaped_buffer moved(option2, formats::ab<3, 2>(), axis_map_c<1, 0>);
    reorder(buf2t, moved);
    CHECK((same_elements(buf2t, in_ba) && same_elements(buf2t, moved)));
    CHECK((buf2t(0, 1) == 1 && option2[1] == 3 && copy_ba[1] == 3));
}

TEST_CASE(
    "bridge: 5 'use plain framework layout only, allowing custom DNNL formats appear only within one operation'") {
    // After a reorder into the library's format and back, the framework's buffer is unchanged.
    const result_of_conv1 made;
    plain_tensor<2, 3, 4, 5> back;
    reorder(made.buffer, back.buffer);
    CHECK(back.data == made.plain.data);
}

TEST_CASE("bridge: 5 'no way to catch the situation when a user will feed the output of one convolution as weights'") {
    using source = decltype(as_operand<"nchw", "nhwc">(std::declval<result_of_conv1>().buffer));
    using weights = decltype(as_operand<"oihw", "hwio">(std::declval<result_of_conv1>().buffer));
    // Types catch this: the library's memory has the names of activations, and only as_operand returns weights.
    STATIC_CHECK(can_convolve<source, weights> && !can_convolve<source, source>);
    using as_it_is = std::remove_cvref_t<decltype(std::declval<result_of_conv1>().buffer.memory())>;
    STATIC_CHECK(!can_convolve<source, as_it_is>);
}

}}  // namespace test_bridge_article_buffers
