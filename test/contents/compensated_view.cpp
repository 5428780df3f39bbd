#include <plait/reorder/make_reorder.hpp>
//
#include <plait/contents/compensated_view.hpp>

#include "view/view_cases.hpp"

#include <plait/contents/held_operations.hpp>
#include <plait/contents/zero_pad.hpp>
#include <plait/contract/descriptor_reference.hpp>

#include <cstring>

namespace test_contents_compensated_view { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

using plain = oihw<17, 20, 2, 3>;
using packed = OIhw4i16o4i<17, 20, 2, 3>;
constexpr tensor_compensation both{
    .s8s8 = true, .asymmetric_source = true, .s8s8_mask = 1 << 0, .asymmetric_source_mask = 1 << 0 | 1 << 1};

std::vector<float> some_weights() {
    std::vector<float> out(plain::value.element_span());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(i * 7 % 100) - 50;
    return out;
}

/// Returns the sum of the elements of output channel `o` for the input channels first to last - 1.
template <class View>
std::int32_t sum_of(const View& w, dim_t o, dim_t first, dim_t last) {
    std::int32_t sum = 0;
    for (dim_t i = first; i < last; ++i)
        for (dim_t h = 0; h < 2; ++h)
            for (dim_t x = 0; x < 3; ++x) sum += w(o, i, h, x);
    return sum;
}

template <class L>
int wrong_sums(const L& to) {
    const std::vector<float> in = some_weights();
    const layout l = to;
    const std::size_t size = compensated_size_in_bytes<both>(l);
    std::vector<std::int8_t> out(size + 16, 99), wanted = out;
    const auto w = reorder_compensated<both>(tensor_view(in.data(), plain()), tensor_view(out.data(), to));
    static_assert(zero_padded<decltype(w)> && compensated_by<decltype(w), both>);
    const descriptor from(data_type::f32, plain::value), into(data_type::s8, l, extra_of(both));
    reference_reorder(from, in.data(), into, wanted.data());
    int wrong = out != wanted || !is_padding_zero(w);
    const auto s8s8 = s8s8_sums(w);
    const auto asymmetric = asymmetric_source_sums(w);
    for (dim_t o = 0; o < 17; ++o)
        for (dim_t i = 0; i < 20; ++i) {
            wrong += s8s8(o, i, 0, 2) != -128 * sum_of(w.stored(), o, 0, 20);
            wrong += asymmetric(o, i, 1, 0) != -sum_of(w.stored(), o, i, i + 1);
        }
    return wrong;
}

TEST_CASE("reorder_compensated: writes the bytes of the reference, and sums by position, for every kind of layout") {
    CHECK(wrong_sums(packed()) == 0);
    CHECK(wrong_sums(bind(layout_c<layout({dynamic, 20, 2, 3}, "OIhw4i16o4i")>, 17)) == 0);
    CHECK(wrong_sums(layout(packed::value)) == 0);
}

TEST_CASE("sums by position: sums of two axes follow the order of the weights, and permuted axes do not move them") {
    constexpr tensor_compensation by_both{.asymmetric_source = true, .asymmetric_source_mask = 1 << 0 | 1 << 1};
    using depthwise = layout_constant<layout({17, 20, 2, 3}, "Abcd16a")>;
    const std::vector<float> in = some_weights();
    std::vector<std::int8_t> out(compensated_size_in_bytes<by_both>(depthwise::value));
    const auto w = reorder_compensated<by_both>(tensor_view(in.data(), plain()), tensor_view(out.data(), depthwise()));
    const auto sums = asymmetric_source_sums(w);
    const auto swapped = asymmetric_source_sums(permute_axes(w, permutation_c<1, 0, 2, 3>));
    CHECK(&sums(1, 0, 0, 0) - &sums(0, 0, 0, 0) == 1);
    CHECK(&sums(0, 1, 0, 0) - &sums(0, 0, 0, 0) == 16);
    CHECK(&sums(16, 0, 0, 0) - &sums(0, 0, 0, 0) == 20 * 16);
    int wrong = 0;
    for (dim_t o = 0; o < 17; ++o)
        for (dim_t i = 0; i < 20; ++i) {
            wrong += sums(o, i, 1, 2) != -sum_of(w.stored(), o, i, i + 1);
            wrong += &swapped(i, o, 0, 0) != &sums(o, i, 0, 0);
        }
    CHECK(wrong == 0);
}

TEST_CASE("reorder_compensated: refuses what a reorder of descriptors refuses, and then writes nothing") {
    constexpr tensor_compensation beyond{.s8s8 = true, .s8s8_mask = 1 << 5};
    const std::vector<float> in = some_weights();
    std::vector<std::int8_t> out(packed::value.element_span(), 99);
    const std::vector<std::int8_t> before = out;
    CHECK_THROWS_AS(static_cast<void>(reorder_compensated<beyond>(tensor_view(in.data(), plain()),
                                                                  tensor_view(out.data(), packed()))),
                    rejection);
    CHECK(try_reorder_compensated<beyond>(tensor_view(in.data(), plain()), tensor_view(out.data(), packed()))
              .error()
              .reason == reason::mask_is_out_of_range);
    CHECK(out == before);
}

TEST_CASE("zero_pad of a view: does not change the sums of compensation") {
    const std::vector<float> in = some_weights();
    std::vector<std::int8_t> out(compensated_size_in_bytes<both>(packed::value));
    const auto w = reorder_compensated<both>(tensor_view(in.data(), plain()), tensor_view(out.data(), packed()));
    const std::vector<std::int8_t> before = out;
    w.stored().block(1, 0, 0, 0)[4] = 1;  // output 17
    CHECK(!is_padding_zero(w));
    const auto again = zero_pad(w);
    CHECK(out == before);
    static_assert(std::is_same_v<decltype(again), decltype(w)>);
}

TEST_CASE("descriptor_of: has the type and the layout of the view, and its compensation as extra") {
    std::vector<std::int8_t> out(compensated_size_in_bytes<both>(packed::value));
    const tensor_view v(out.data(), packed());
    CHECK(descriptor_of(v) == descriptor(data_type::s8, packed::value));
    CHECK(descriptor_of(held_as<padding_state::zero, both>(v)) ==
          descriptor(data_type::s8, packed::value, extra_of(both)));
}

}}  // namespace test_contents_compensated_view
