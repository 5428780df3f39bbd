#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/algebra/view.hpp>
#include <plait/contents/held_operations.hpp>

#include "laws/padding_places.hpp"
#include "laws/random_layouts.hpp"
#include "view/view_cases.hpp"

#include <plait/contents/quantized_view.hpp>
#include <plait/contents/zero_pad.hpp>

#include <set>

namespace test_contents_held_operations { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Returns the addresses of the padding of a view.
template <class View>
std::set<const void*> padding_of(const View& v) {
    std::set<const void*> out;
    for_each_padding_place(v.plain_layout(), [&](dim_t offset) { out.insert(v.data() + offset); });
    return out;
}

/// True if all padding of `made` is padding of `v`, so that zero padding stays zero.
template <class Made, class View>
bool makes_no_padding(const Made& made, const View& v) {
    const auto before = padding_of(v);
    for (const void* place : padding_of(made))
        if (before.count(place) == 0) return false;
    return true;
}

/// Checks every operation on a view of a run-time layout, with all permutations, slices and parts, and with some
/// shapes.
bool operations_make_no_padding(const tensor_view<char, layout>& v) {
    const layout& l = v.layout();
    bool right = true;
    permutation p = identity_permutation(l.ndims());
    for (int i = 0; i < factorial(l.ndims()); ++i, p = next(p))
        right = right && makes_no_padding(permute_axes(v, p), v) && makes_no_padding(rename_axes(v, p), v);
    for (int a = 0; a < l.ndims(); ++a) {
        for (dim_t i = 0; i < l.dims[a]; ++i)
            if (check_slice(l, a, i).ok()) right = right && makes_no_padding(slice(v, a, i), v);
        if (check_broadcast_axis(l, a, 3).ok()) right = right && makes_no_padding(broadcast_axis(v, a, 3), v);
        for (dim_t first = 0; first <= l.dims[a]; ++first)
            for (dim_t extent = 0; first + extent <= l.dims[a]; ++extent) {
                dims extents = l.dims;
                position offsets = origin(l.ndims());
                extents[a] = extent;
                offsets[a] = first;
                if (check_submemory(l, extents, offsets).ok())
                    right = right && makes_no_padding(submemory(v, extents, offsets), v);
            }
    }
    for (const dims& to :
         {dims{l.volume()}, dims{1, l.volume()}, dims{2, l.volume() / 2}, dims{l.volume() / 3, 3, 1}}) {
        if (check_reshape(l, to).ok()) right = right && makes_no_padding(reshape(v, to), v);
        if (check_view(l, to).ok()) right = right && makes_no_padding(view(v, to), v);
    }
    return right;
}

/// Returns `v` with one scale per index of axis 1, and one zero point per pair of indices of axes 0 and 2.
constexpr float scales[] = {0.5f, 2, 0.25f, 4, 8, 1, 16, 32, 64, 128, 256, 512, 3, 5, 7, 9, 11};
constexpr std::int32_t zero_points[] = {1, 2, 3, 4, 5, 6};

template <class View>
auto quantized_like_a_test(const View& v) {
    return with_quantization(v, per_index<1>(std::span(scales).first(static_cast<std::size_t>(v.extent(1)))),
                             per_index<0, 2>(std::span(zero_points)));
}
/// Returns the dequantised number at a position, computed by its definition.
float number_at(const tensor_view<std::int8_t, layout>& v, dim_t n, dim_t c, dim_t h, dim_t w) {
    return (static_cast<float>(v(n, c, h, w)) - static_cast<float>(zero_points[n * 3 + h])) * scales[c];
}

/// Returns the number of elements that lose their scale or zero point in an operation on a view of {2, 17, 3, 2}.
template <class L>
int wrong_numbers(const L& l) {
    const layout plain = l;
    std::vector<std::int8_t> data = numbered<std::int8_t>(plain);
    const tensor_view v(data.data(), l);
    const tensor_view model(data.data(), plain);
    const auto q = zero_pad(quantized_like_a_test(v));
    const auto permuted = permute_axes(q, permutation_c<0, 3, 1, 2>);
    const auto renamed = rename_axes(q, permutation{0, 2, 3, 1});
    const auto part = submemory(q, dims{1, 1, 2, 2}, position{1, 16, 1, 0});
    const auto constant_part = submemory(q, dims_c<1, 1, 2, 2>, position_c<1, 16, 1, 0>);
    const auto split = view(q, dims{2, 17, 3, 2, 1});
    const auto arranged = rearrange<"n c h w -> w n h c">(q);
    int wrong = 0;
    for (dim_t n = 0; n < 2; ++n)
        for (dim_t c = 0; c < 17; ++c) {
            const auto sliced = slice(slice(q, std::integral_constant<int, 1>(), c), 0, n);
            for (dim_t h = 0; h < 3; ++h)
                for (dim_t w = 0; w < 2; ++w) {
                    const float x = number_at(model, n, c, h, w);
                    wrong += dequantize(q, n, c, h, w) != x;
                    wrong += dequantize(q.as_const(), n, c, h, w) != x;
                    wrong += dequantize(permuted, n, h, w, c) != x;
                    wrong += dequantize(renamed, n, h, w, c) != x;
                    wrong += dequantize(split, n, c, h, w, 0) != x;
                    wrong += dequantize(arranged, w, n, h, c) != x;
                    wrong += dequantize(sliced, h, w) != x;
                    if (n == 1 && c == 16 && h >= 1)
                        wrong +=
                            (dequantize(part, 0, 0, h - 1, w) != x) + (dequantize(constant_part, 0, 0, h - 1, w) != x);
                }
        }
    static_assert(zero_padded<decltype(permuted)> && zero_padded<decltype(part)> && zero_padded<decltype(arranged)>);
    return wrong;
}

TEST_CASE("law at random: no operation on views turns an element into padding") {
    random_source random(81);
    int padded = 0;
    for (int i = 0; i < 600; ++i) {
        const layout l = random.small_layout();
        std::vector<char> data = numbered<char>(l);
        data.push_back(0);
        const tensor_view v(data.data(), l);
        padded += !padding_of(v).empty();
        if (!operations_make_no_padding(v)) FAIL_CHECK(explain(l));
    }
    CHECK(padded > 200);
}

TEST_CASE("held views: each element keeps its scale and its zero point in operations on axes") {
    CHECK(wrong_numbers(nChw16c<2, 17, 3, 2>()) == 0);
    CHECK(wrong_numbers(layout_c<layout({2, 17, 3, 2}, "cdba")>) == 0);
    CHECK(wrong_numbers(bind(layout_c<layout({dynamic, 17, 3, dynamic}, "nChw16c")>, 2, 2)) == 0);
    CHECK(wrong_numbers(bind(layout_c<layout({2, dynamic, dynamic, 2}, "nChw16c")>, 17, 3)) == 0);
    CHECK(wrong_numbers(layout({2, 17, 3, 2}, "nChw16c")) == 0);
}

TEST_CASE("held views: values stay static with the layout, and masks are constants") {
    std::vector<std::int8_t> data(nChw16c<2, 17, 3, 2>::value.element_span());
    const auto q = quantized_like_a_test(tensor_view(data.data(), nChw16c<2, 17, 3, 2>()));
    using held = decltype(q);
    static_assert(contents_of<held>.scale == quantization_parameter{data_type::f32, 1 << 1});
    static_assert(contents_of<held>.zero_point == quantization_parameter{data_type::s32, 1 << 0 | 1 << 2});
    static_assert(contents_of<held>.padding == padding_state::unknown && !zero_padded<held> && !plain_values<held>);
    using permuted = decltype(permute_axes(q, permutation_c<0, 3, 1, 2>));
    static_assert(quantized_by<permuted, 1 << 3> && contents_of<permuted>.zero_point.mask == (1 << 0 | 1 << 1));
    using pixel_row = decltype(slice(q, std::integral_constant<int, 1>(), 16));
    static_assert(quantized_by<pixel_row, 0> && contents_of<pixel_row>.zero_point.mask == (1 << 0 | 1 << 1));
    using open = decltype(quantized_like_a_test(tensor_view(data.data(), layout({2, 17, 3, 2}, "nChw16c"))));
    static_assert(quantized<open> && quantized_by<open, run_time_mask>);
    CHECK(sizeof(held) == 3 * sizeof(void*));
}

TEST_CASE("held views: names of axes are kept") {
    std::vector<std::int8_t> data(4 * 4);
    const auto w = with_quantization(tensor_view(data.data(), oihw<4, 4, 1, 1>()), per_tensor(0.5f));
    plait::require_axes<"oihw">(w);
    plait::require_axes<"iohw">(permute_axes(w, permutation_c<1, 0, 2, 3>));
    plait::require_axes<"abcd">(name_axes<"abcd">(w));
    plait::require_axes<"oihw">(zero_pad(tensor_view(data.data(), oihw<4, 4, 1, 1>())));
    CHECK(dequantize(name_axes<"abcd">(w), 3, 3, 0, 0) == 0.5f * data[15]);
}

TEST_CASE("held views: axes are joined if their values allow it, else refused as in the algebra") {
    std::vector<std::int8_t> data(2 * 17 * 6);
    const auto q = with_quantization(tensor_view(data.data(), nchw<2, 17, 3, 2>()), per_index<1>(std::span(scales)));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int8_t>(i);
    const auto joined = reshape(q, dims_c<2, 17, 6>);
    static_assert(quantized_by<decltype(joined), 1 << 1>);
    CHECK(dequantize(joined, 1, 16, 5) == dequantize(q, 1, 16, 2, 1));
    CHECK(check_reshape(q.plain_layout(), {34, 6}).ok());
    CHECK_THROWS_AS(static_cast<void>(reshape(q, dims{34, 6})),
                    rejection);  // 34 indices would need 34 scales, but there are 17
    const auto all_alike = with_quantization(q.stored(), per_tensor(0.5f));
    CHECK(dequantize(reshape(all_alike, dims{34, 6}), 33, 5) == dequantize(all_alike, 1, 16, 2, 1));
}

TEST_CASE("held views: permuted views keep compensation, and parts have none") {
    std::vector<std::int8_t> data(OIhw4i16o4i<17, 20, 2, 2>::value.element_span());
    constexpr tensor_compensation both{.s8s8 = true,
                                       .asymmetric_source = true,
                                       .s8s8_mask = 1 << 0,
                                       .asymmetric_source_mask = 1 << 0 | 1 << 1,
                                       .scale_adjust_bits = std::bit_cast<std::int32_t>(0.5f)};
    const auto w = held_as<padding_state::zero, both>(tensor_view(data.data(), OIhw4i16o4i<17, 20, 2, 2>()));
    using moved = decltype(permute_axes(w, permutation_c<2, 3, 0, 1>));
    static_assert(contents_of<moved>.compensation.s8s8_mask == 1 << 2);
    static_assert(contents_of<moved>.compensation.asymmetric_source_mask == (1 << 2 | 1 << 3));
    // permute_axes of a descriptor gives an equal `extra`.
    const descriptor d(data_type::s8, w.plain_layout(), extra_of(both));
    CHECK(permute_axes(d, {2, 3, 0, 1}).extra == extra_of(contents_of<moved>.compensation));
    using part = decltype(submemory(w, dims_c<16, 20, 2, 2>, position_c<0, 0, 0, 0>));
    static_assert(!contents_of<part>.compensation.has_buffers() && !plain_values<part>);
    static_assert(contents_of<part>.compensation.scale_adjust() == 0.5f && zero_padded<part>);
    const auto open =
        held_as<padding_state::zero, both>(tensor_view(data.data(), layout({17, 20, 2, 2}, "OIhw4i16o4i")));
    static_assert(contents_of<decltype(permute_axes(open, permutation_c<2, 3, 0, 1>))> == contents_of<moved>);
    // The order of the sums follows the strides of the two axes, so swapped axes move no sum. Axes that share places
    // have no such order, so the swap is refused.
    using swapped = decltype(permute_axes(open, permutation_c<1, 0, 2, 3>));
    static_assert(contents_of<swapped>.compensation.s8s8_mask == 1 << 1);
    static_assert(contents_of<swapped>.compensation.asymmetric_source_mask == (1 << 0 | 1 << 1));
    CHECK(permute_axes(open, permutation_c<1, 0, 2, 3>).plain_layout().dims == dims{20, 17, 2, 2});
    const auto shared =
        held_as<padding_state::zero, both>(tensor_view(data.data(), layout({3, 3, 2, 2}, strides{0, 0, 2, 1})));
    CHECK_THROWS_AS(static_cast<void>(permute_axes(shared, permutation_c<1, 0, 2, 3>)), rejection);
    CHECK(permute_axes(shared, permutation_c<0, 1, 3, 2>).plain_layout().dims == dims{3, 3, 2, 2});
}

}}  // namespace test_contents_held_operations
