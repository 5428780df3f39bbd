#include <plait/algebra/view.hpp>
#include <plait/contents/held_operations.hpp>
#include <plait/contents/quantized_view.hpp>

#include "view/view_cases.hpp"

namespace test_contents_quantized_view { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

constexpr float three_scales[] = {0.5f, 0.1f, 3};
constexpr std::int32_t two_points[] = {-7, 100};

/// Checks that dequantize equals convert_with, bit for bit, at every position.
template <class T, class View>
bool is_what_a_reorder_writes(const View& q, const reorder_attributes& attributes) {
    const attributes_by_position by_position(attributes, q.plain_layout().dims);
    const layout l = q.plain_layout();
    position at = origin(l.ndims());
    do {
        const float wanted = convert_with<float>(at_position(q.stored(), at), 0.0f, by_position.at(at));
        const float found = dequantize(q, at[0], at[1], at[2]);
        if (std::bit_cast<std::uint32_t>(wanted) != std::bit_cast<std::uint32_t>(found)) return false;
    } while (advance(at, l.dims));
    return true;
}

template <class T, class L>
bool all_ways_of_quantizing(const L& l) {
    std::vector<T> data = numbered<T>(l);
    const tensor_view v(data.data(), l);
    const auto check = [](const auto& q) { return is_what_a_reorder_writes<T>(q, source_attributes(q)); };
    const auto by_channel = per_index<1>(three_scales);
    return check(with_quantization(v, per_tensor(0.3f))) && check(with_quantization(v, by_channel)) &&
           check(with_quantization(v, per_tensor(0.3f), per_tensor(std::int32_t{-5}))) &&
           check(with_quantization(v, by_channel, per_index<0>(two_points))) &&
           check(with_quantization(v, no_values(), per_index<0>(two_points)));
}

TEST_CASE("dequantize: returns (element - zero point) * scale, bit for bit as a reorder writes it") {
    CHECK(all_ways_of_quantizing<std::int8_t>(format<"abc", 2, 3, 4>()));
    CHECK(all_ways_of_quantizing<std::uint8_t>(format<"aBc2b", 2, 3, 4>()));
    CHECK(all_ways_of_quantizing<std::int8_t>(bind(layout_c<layout({dynamic, 3, 4}, "acb")>, 2)));
    CHECK(all_ways_of_quantizing<std::int8_t>(layout({2, 3, 4}, "aBc2b")));
}

TEST_CASE("dequantize: the masks of attributes agree with the type") {
    std::vector<std::int8_t> data(24);
    const tensor_view v(data.data(), format<"abc", 2, 3, 4>());
    const auto q = with_quantization(v, per_index<1>(three_scales), per_index<0>(two_points));
    const reorder_attributes attributes = source_attributes(q);
    CHECK(attributes == reorder_attributes{.src_scale = {three_scales, contents_of<decltype(q)>.scale.mask},
                                           .src_zero_point = {two_points, contents_of<decltype(q)>.zero_point.mask}});
    CHECK(destination_attributes(q).dst_scale == attributes.src_scale);
    CHECK(destination_attributes(q).dst_zero_point == attributes.src_zero_point);
}

TEST_CASE("dequantize: works in a constant expression, with scales and zero points of several types") {
    STATIC_CHECK([] {
        const std::uint8_t data[] = {0, 128, 255};
        const tensor_view v(&data[0], formats::a<3>());
        const auto q = with_quantization(v, per_tensor(bfloat16(0.5f)), per_tensor(std::uint8_t{128}));
        static_assert(contents_of<decltype(q)>.scale == quantization_parameter{data_type::bf16, 0});
        static_assert(contents_of<decltype(q)>.zero_point == quantization_parameter{data_type::u8, 0});
        static_assert(std::is_same_v<decltype(dequantize(q, 0)), float>);
        static_assert(std::is_same_v<decltype(dequantize(with_quantization(v, per_tensor(0.5)), 0)), double>);
        return dequantize(q, 0) == -64 && dequantize(q, 1) == 0 && dequantize(q, 2) == 63.5f;
    }());
}

TEST_CASE("dequantize: divides by scale_adjust; plain elements are unchanged") {
    STATIC_CHECK([] {
        const std::int8_t data[] = {3, -5};
        const tensor_view v(&data[0], format<"a", 2>());
        constexpr tensor_compensation halved{.scale_adjust_bits = std::bit_cast<std::int32_t>(0.5f)};
        const auto w = held_as<padding_state::zero, halved>(v, per_tensor(0.25f));
        return dequantize(w, 0) == 1.5f && dequantize(w, 1) == -2.5f && dequantize(v, 1) == -5.0f &&
               dequantize(held_as<padding_state::zero>(v), 0) == 3.0f;
    }());
}

TEST_CASE("with_quantization: refuses a wrong number of values, axes out of range, and null pointers") {
    std::vector<std::int8_t> data(24);
    const tensor_view v(data.data(), format<"abc", 2, 3, 4>());
    const tensor_view open(data.data(), layout({2, 3, 4}, "abc"));
    const auto why = [](auto quantize) {
        try {
            quantize();
        } catch (const rejection& refused) {
            return refused.verdict();
        }
        return verdict{};
    };
    CHECK(why([&] { static_cast<void>(with_quantization(v, per_index<0>(three_scales))); }) ==
          verdict{reason::mask_has_other_values, -1, 1, 2, 3});
    CHECK(why([&] { static_cast<void>(with_quantization(open, per_index<0, 1>(three_scales))); }) ==
          verdict{reason::mask_has_other_values, -1, 3, 6, 3});
    CHECK(why([&] { static_cast<void>(with_quantization(open, per_index<3>(three_scales))); }) ==
          verdict{reason::mask_is_out_of_range, -1, 8, 3});
    CHECK(why([&] { static_cast<void>(with_quantization(open, per_index<1>(std::span<const float>()))); }) ==
          verdict{reason::mask_has_no_values, -1, 2, 3});
}

TEST_CASE("source_attributes: refuses values that are not dense") {
    std::vector<std::int8_t> data(24);
    std::vector<float> values(6, 0.5f);
    const tensor_view v(data.data(), format<"abc", 2, 3, 4>());
    const auto q = with_quantization(v, per_index<0, 1>(values));
    CHECK(source_attributes(q).src_scale.mask == 3);
    // The values of one channel have stride 3 along axis 0.
    const tensor_view<const float, layout> apart(values.data(), layout({2, 1, 4}, strides{3, 1, 0}));
    CHECK_THROWS_AS(static_cast<void>(attribute_of<reorder_attributes::scale>(apart)), rejection);
    // Values of a part begin behind the beginning of their memory.
    layout behind({2, 3, 4}, strides{0, 1, 0});
    behind.offset0 = 2;
    const tensor_view<const float, layout> part(values.data(), behind);
    CHECK(attribute_of<reorder_attributes::scale>(part).values == values.data() + 2);
}

// A quantised view is not a tensor_view. Scales must not be integers, and zero points must be integers.
template <class V>
concept read_as_view = requires(const V& v) {
    []<class T, class L>(const tensor_view<T, L>&) {}(v);
};
template <class V, class S, class Z>
concept takes_values = requires(const V& v, const S& s, const Z& z) {
    with_quantization(v, s, z);
};

TEST_CASE("with_quantization: a function of plain values does not accept its result") {
    using plain = tensor_view<std::int8_t, formats::a<3>>;
    using q = decltype(with_quantization(std::declval<plain>(), per_tensor(0.5f)));
    static_assert(read_as_view<plain> && !read_as_view<q>);
    static_assert(plain_values<plain> && !plain_values<q> && quantized<q> && !quantized<plain>);
    static_assert(takes_values<plain, one_value<float>, one_value<std::int32_t>>);
    static_assert(!takes_values<plain, one_value<std::int32_t>, no_values>);
    static_assert(!takes_values<plain, one_value<float>, one_value<float>>);
    static_assert(!takes_values<q, one_value<float>, no_values>);  // a quantised view cannot be quantised again
}

TEST_CASE("source_attributes: refuses values that several indices of a joined axis share") {
    // Each of two scales is for three elements. If the axes are joined to one of 6, an attribute would read six scales.
    const std::int8_t codes[6] = {1, 2, 3, 4, 5, 6};
    const float scales[2] = {0.5f, 2};
    const auto rows = with_quantization(tensor_view(codes, layout_c<layout({2, 3}, "ab")>), per_index<0>(scales));
    const auto joined = view(rows, dims_c<6>);
    CHECK(dequantize(joined, 2) == 1.5f);
    CHECK(dequantize(joined, 3) == 8);
    CHECK_THROWS_WITH_AS(static_cast<void>(source_attributes(joined)), doctest::Contains("axis_is_blocked"), rejection);
    CHECK(source_attributes(rows).src_scale.mask == 1);
}

}}  // namespace test_contents_quantized_view
