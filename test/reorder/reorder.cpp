#include "engine/kernel/kernels.hpp"
#include "support/small_layouts.hpp"

#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/engine/simd/portable_rows.hpp>
#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/layout_reorder.hpp>
#include <plait/typed/formats.hpp>

#include <numeric>
#include <vector>

namespace test_reorder_reorder { namespace {

using namespace kernels;

constexpr layout plain({2, 17, 5, 4}, "nchw");
constexpr layout blocked({2, 17, 5, 4}, "nChw16c");

TEST_CASE("check_reorder: pairs that are refused, with their reasons") {
    STATIC_CHECK(check_reorder(plain, blocked).ok());
    STATIC_CHECK(check_reorder(plain, layout({2, 17, 20}, "abc")) == verdict{reason::rank_differs, -1, 4, 3});
    STATIC_CHECK(check_reorder(plain, layout({2, 18, 5, 4}, "nchw")) == verdict{reason::dims_differ, 1, 17, 18});
    STATIC_CHECK(check_reorder(layout(), layout()).reason == reason::layout_is_undefined);
    STATIC_CHECK(check_reorder(plain, layout({2, 17, 5, 4}, "any")).reason == reason::layout_is_any);
    STATIC_CHECK(check_reorder(plain, layout({dynamic, 17, 5, 4}, "nchw")).reason == reason::dim_is_dynamic);
    STATIC_CHECK(check_reorder(layout({3, 4}, strides{0, 1}), layout({3, 4}, "ab")).ok());
    STATIC_CHECK(check_reorder(layout({3, 4}, "ab"), layout({3, 4}, strides{0, 1})) ==
                 verdict{reason::destination_is_not_injective, 0, 3, 0});
}

TEST_CASE("reorder: tensors of no elements write nothing, and tensors of one element are copied") {
    float in[1] = {3}, out[1] = {7};
    reorder<layout({2, 0, 3}, "abc"), layout({2, 0, 3}, "aBc8b")>(in, out);
    CHECK(out[0] == 7);
    reorder<layout({1, 1}, "ab"), layout({1, 1}, "ba")>(in, out);
    CHECK(out[0] == 3);
    reorder(layout({0}, "a"), in, layout({0}, "a"), out);
    CHECK(out[0] == 3);
}

TEST_CASE("reorder: tensors without elements need no memory") {
    const std::vector<float> in;
    std::vector<float> out;
    reorder<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(in.data(), out.data());
    reorder(layout({0, 3}, "ab"), in.data(), layout({0, 3}, "ba"), out.data());
    move_tensor_with<layout({0, 3}, "ab"), layout({0, 3}, "ba"), element_types_of<float, float>, isa::portable>(
        in.data(), out.data());
    CHECK(out.empty());
    // One place of padding along the empty axis, to which no step leads.
    static constexpr layout one = plait_test::emptied(layout({1}, "a"), 0),
                            row = plait_test::emptied(layout({1, 3}, "ab"), 0);
    out = {7, 7, 7, 7};
    reorder<layout({0}, "a"), one>(in.data(), out.data());
    CHECK(out == std::vector<float>{0, 7, 7, 7});
    reorder<layout({0, 3}, "ba"), row>(in.data(), out.data());
    CHECK(out == std::vector<float>{0, 0, 0, 7});
}

TEST_CASE("reorder: reads overlapping windows, and writes interleaved places but no gaps") {
    // The rows are windows of 16 elements, each one element after the other, so a source element is read up to 16
    // times.
    static constexpr layout windows({24, 16}, strides{1, 1}), columns({24, 16}, "ba");
    std::vector<float> in(windows.element_span()), out(columns.element_span());
    std::iota(in.begin(), in.end(), 1.0f);
    reorder<windows, columns>(in.data(), out.data());
    for (dim_t a = 0; a < 24; ++a)
        for (dim_t b = 0; b < 16; ++b)
            CHECK(out[static_cast<std::size_t>(columns.offset(a, b))] == static_cast<float>(1 + a + b));
    // 16 columns of 3 rows, with strides 3 and 7: each place is written once, and the gaps stay as they were.
    static constexpr layout rows({3, 16}, "ab"), interleaved({3, 16}, strides{7, 3});
    static_assert(!is_nested(interleaved) && is_injective(interleaved));
    std::vector<float> from(rows.element_span()), to(interleaved.element_span(), -1.0f);
    std::iota(from.begin(), from.end(), 1.0f);
    reorder<rows, interleaved>(from.data(), to.data());
    std::vector<float> wanted(to.size(), -1.0f);
    for (dim_t a = 0; a < 3; ++a)
        for (dim_t b = 0; b < 16; ++b)
            wanted[static_cast<std::size_t>(interleaved.offset(a, b))] =
                from[static_cast<std::size_t>(rows.offset(a, b))];
    CHECK(to == wanted);
}

TEST_CASE("check_reorder: checks layouts that are put together by hand") {
    const layout overlapping({4, 4}, strides{1, 1});
    CHECK(check_reorder(layout({4, 4}, "ab"), overlapping) == verdict{reason::destination_is_not_injective, 0, 4, 1});
    CHECK(check_reorder(overlapping, layout({4, 4}, "ab")).ok());
    // The elements are interleaved, but each has its own place.
    CHECK(check_reorder(layout({3, 2}, "ab"), layout({3, 2}, strides{2, 3})).ok());
    layout outside({4, 4}, "ab");
    outside.digits[1].axis = 50;
    CHECK(check_reorder(outside, layout({4, 4}, "ab")).reason == reason::layout_is_malformed);
    static_assert(!plait::detail::has_kernel<layout({4}, "a"), layout({8}, "a")>);
}

TEST_CASE("reorder: in place, another layout is refused, and the same layout changes nothing") {
    std::vector<float> data = numbered<float>(plain.element_span()), before = data;
    try {
        reorder<plain, layout({2, 17, 5, 4}, "nhwc")>(data.data(), data.data());
        FAIL("not refused");
    } catch (const rejection& refused) {
        CHECK(refused.verdict().reason == reason::spans_overlap);
    }
    CHECK_THROWS_AS(reorder(plain, data.data(), layout({2, 17, 5, 4}, "nhwc"), data.data()), rejection);
    reorder<plain, plain>(data.data(), data.data());
    CHECK(same_bytes(data, before));
}

TEST_CASE("reorder: refuses a null pointer before it writes, with the number of bytes that the tensor needs") {
    constexpr layout other({2, 17, 5, 4}, "nhwc");
    std::vector<float> data = numbered<float>(plain.element_span()), before = data;
    const float* const nothing = nullptr;
    float* const nowhere = nullptr;
    constexpr auto bytes = static_cast<dim_t>(2 * 17 * 5 * 4 * sizeof(float));
    const auto refusal = [](auto call) {
        try {
            call();
        } catch (const rejection& refused) {
            return refused.verdict();
        }
        return verdict{};
    };
    const verdict no_source{reason::buffer_is_null, -1, bytes, 0, static_cast<dim_t>(buffer_role::source)};
    const verdict no_destination{reason::buffer_is_null, -1, bytes, 0, static_cast<dim_t>(buffer_role::destination)};
    CHECK(refusal([&] { reorder<plain, other>(nothing, data.data()); }) == no_source);
    CHECK(refusal([&] { reorder<plain, other>(data.data(), nowhere); }) == no_destination);
    CHECK(refusal([&] { reorder<plain, other>(nothing, data.data(), {.src_scale = 2}); }) == no_source);
    CHECK(refusal([&] { reorder<plain, plain>(nothing, nowhere); }) == no_source);
    CHECK(refusal([&] { reorder(plain, nothing, other, data.data()); }) == no_source);
    CHECK(refusal([&] { reorder<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(nothing, nowhere); }).ok());
    // try_reorder returns the same refusals without an exception.
    static_assert(noexcept(try_reorder<plain, other>(nothing, nowhere)));
    CHECK(try_reorder<plain, other>(nothing, data.data()).error() == no_source);
    CHECK(try_reorder<plain, other>(data.data(), nowhere).error() == no_destination);
    CHECK(try_reorder<plain, other>(nothing, data.data(), {.src_scale = 2}).error() == no_source);
    CHECK(try_reorder<plain, other>(data.data(), data.data(), {.dst_scale = 0}).error().reason ==
          reason::scale_is_invalid);
    CHECK(try_reorder(plain, nothing, other, data.data()).error() == no_source);
    CHECK(try_reorder(plain, data.data(), layout({4}, "a"), data.data()).error() == check_reorder(plain, {{4}, "a"}));
    CHECK(try_reorder<layout({0, 3}, "ab"), layout({0, 3}, "ba")>(nothing, nowhere));
    CHECK(same_bytes(data, before));
}

// The parameters of reorder.
int attributes_of(const tensor_attributes&) { return 1; }
template <plait::detail::any_attributes Attributes = reorder_attributes>
int attributes_of(const Attributes&) {
    return 2;
}

TEST_CASE("reorder: attributes in braces are those of a tensor if they can be") {
    const std::vector<float> scales(17, 2.0f);
    const reorder_attributes named{.src_scale = 0.5f};
    float number = 3;
    CHECK(attributes_of({}) == 1);
    CHECK(attributes_of({.src_scale = number, .dst_scale = 2, .src_zero_point = 1, .dst_zero_point = -1}) == 1);
    CHECK(attributes_of({.src_scale = {scales, 2}}) == 2);
    CHECK(attributes_of({.dst_scale = values_by_mask(scales, 2)}) == 2);
    CHECK(attributes_of({.src_scale = 0.5f, .beta = 1}) == 2);
    CHECK(attributes_of(named) == 2);
    CHECK(attributes_of(tensor_attributes{.src_scale = 0.5f}) == 1);
    STATIC_CHECK(!std::is_constructible_v<tensor_attributes::zero_point, float>);
}

template <layout Src, layout Dst, class T, class U>
void check_scaled() {
    std::vector<T> in(Src.element_span());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = convert<T>(static_cast<float>(i % 301) * 0.7f - 105);
    for (const tensor_attributes& attributes :
         {tensor_attributes{}, tensor_attributes{.src_scale = 0.37f}, tensor_attributes{.dst_zero_point = 3},
          tensor_attributes{0.3f, -1.7f, 2, -3}}) {
        std::vector<U> out(static_cast<std::size_t>(Dst.element_span()), convert<U>(7.0f)), wanted = out, threads = out;
        reference_reorder(Src, in.data(), Dst, wanted.data(), attributes);
        reorder<Src, Dst>(in.data(), out.data(), attributes);
        reorder<Src, Dst>(sequential, in.data(), threads.data(), attributes);
        CHECK(same_bytes(out, wanted));
        CHECK(same_bytes(threads, wanted));
        // Any instruction set, and the one that moves elements one by one.
        std::vector<U> each(out.size(), convert<U>(7.0f));
        if (attributes == tensor_attributes{}) continue;
        plait::detail::reference_move<T, U>(Src, in.data(), Dst, each.data(),
                                            plait::detail::of_each_element(attributes));
        CHECK(same_bytes(each, wanted));
    }
}

TEST_CASE("reorder: one value for the tensor gives the bytes of the reference") {
    check_scaled<plain, blocked, float, std::int8_t>();
    check_scaled<blocked, plain, std::uint8_t, float>();
    check_scaled<plain, blocked, float8_e5m2, float>();
    constexpr layout shifted = [] {
        layout l({4}, "A8a");
        l.padded_offsets[0] = 2;
        return l;
    }();
    check_scaled<shifted, layout({4}, "a"), float, float>();  // no kernel
}

TEST_CASE("reorder: layout types give the bytes that their values give") {
    using from = nchw<2, 3, 4, 5>;
    using to = nChw8c<2, 3, 4, 5>;
    std::vector<float> in(120), by_type(static_cast<std::size_t>(to::value.padded_volume()), -1.0f), by_value(by_type);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    reorder<from, to>(in.data(), by_type.data());
    reorder<from::value, to::value>(in.data(), by_value.data());
    CHECK(by_type == by_value);
    reorder<from, to>(sequential, in.data(), by_type.data(), {.src_scale = 2.0f});
    reorder<from::value, to::value>(in.data(), by_value.data(), {.src_scale = 2.0f});
    CHECK(by_type == by_value);
}

}}  // namespace test_reorder_reorder
