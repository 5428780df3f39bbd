#include <plait/view/tensor.hpp>

#include "support/static_check.hpp"
#include "view/view_cases.hpp"

#include <plait/plait.hpp>

#include <complex>
#include <cstdint>
#include <vector>

namespace test_view_tensor {

using namespace plait;
using namespace plait_test;

namespace {

bool is_aligned(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address) % 64 == 0; }

/// True if a new tensor has the memory that a descriptor of its type and layout says, aligned and zero.
template <class T, class L>
bool is_a_new_tensor(const L& l) {
    const tensor<T, L> t(l);
    const layout plain = l;
    const std::size_t size = descriptor(data_type_of<T>, plain).buffer_size_in_bytes();
    if (t.bytes().size() != size || (t.bytes().data() == nullptr) != (size == 0)) return false;
    for (const std::byte b : t.bytes())
        if (b != std::byte{0}) return false;
    return is_aligned(t.bytes().data()) && t.plain_layout() == plain && t.ndims() == plain.ndims() &&
           t.view().plain_layout() == plain && t.view().data() == t.data();
}

template <class Tensor>
concept has_view = requires(Tensor&& t) {
    std::forward<Tensor>(t).view();
};

}  // namespace

TEST_CASE("tensor: has the bytes of its layout from offset 0 on, aligned to 64 and zero") {
    CHECK(cases_that_fail([]<layout L>() {
              return is_a_new_tensor<float>(layout_c<L>) && is_a_new_tensor<double>(bind(layout_c<L>)) &&
                     is_a_new_tensor<std::int8_t>(L) && is_a_new_tensor<u4>(layout_c<L>) && is_a_new_tensor<u1>(L) &&
                     is_a_new_tensor<float6_e2m3>(L);
          }) == none_of_them);
}

TEST_CASE("tensor: of a layout that is a type, bound, or known at run time") {
    tensor<float, nChw16c<1, 17, 2, 3>> known;
    known.view()(0, 16, 1, 2) = 5;
    CHECK(known.data()[nChw16c<1, 17, 2, 3>::value.offset(0, 16, 1, 2)] == 5);

    auto bound = make_tensor<double>(bind(nChw16c<dynamic, 17, dynamic, 3>(), 2, 4));
    STATIC_CHECK(detail::bound_layout_type<decltype(bound)::layout_in_type>);
    bound.view()(1, 16, 3, 2) = 7;
    CHECK(bound.view()(1, 16, 3, 2) == 7);
    CHECK(bound.bytes().size() == 2 * 32 * 4 * 3 * sizeof(double));

    const layout late({5, 7}, "Ab8a");
    tensor<std::int32_t> free(late);
    free.view()(4, 6) = -9;
    CHECK(free.data()[late.offset(4, 6)] == -9);
    CHECK(free.plain_layout() == late);

    STATIC_CHECK(std::is_same_v<decltype(make_tensor<u4>(late)), tensor<u4, layout>>);
    STATIC_CHECK(std::is_same_v<decltype(make_tensor<u4>(nhwc<1, 2, 3, 4>())), tensor<u4, nhwc<1, 2, 3, 4>>>);
}

TEST_CASE("tensor: a part, and an axis that runs backwards, lie in its memory") {
    const layout part = submemory(layout({4, 6}, "ab"), {2, 3}, {2, 3});
    tensor<float> t(part);
    CHECK(t.bytes().size() == 4 * static_cast<std::size_t>(part.offset0 + 9));
    t.view()(1, 2) = 4;
    CHECK(t.data()[part.offset(1, 2)] == 4);

    const layout backwards({2, 3}, strides{3, -1});
    tensor<float> turned(backwards);
    CHECK(turned.bytes().size() == 24);
    turned.view()(1, 2) = 6;
    CHECK(turned.data()[3] == 6);
}

TEST_CASE("tensor: without elements has no memory, and a view") {
    const tensor<float, nChw16c<0, 17, 2, 3>> none;
    CHECK(none.data() == nullptr);
    CHECK(none.bytes().empty());
    CHECK(none.view().extent(1) == 17);
    CHECK(none.clone().bytes().empty());
}

TEST_CASE("tensor: moves, and is empty then; clone copies the bytes") {
    STATIC_CHECK(!std::is_copy_constructible_v<tensor<float>> && !std::is_copy_assignable_v<tensor<float>>);
    STATIC_CHECK(std::is_nothrow_move_constructible_v<tensor<float>> &&
                 std::is_nothrow_move_assignable_v<tensor<float>>);

    tensor<float> a(layout({3, 4}, "ab"));
    a.view()(2, 3) = 1;
    tensor<float> copy = a.clone();
    CHECK(copy.data() != a.data());
    copy.view()(2, 3) += 1;
    CHECK(a.view()(2, 3) == 1);
    CHECK(copy.view()(2, 3) == 2);

    const float* const memory = a.data();
    tensor<float> b = std::move(a);
    CHECK(b.data() == memory);
    CHECK(a.data() == nullptr);
    CHECK(a.bytes().empty());
    CHECK_THROWS_WITH_AS(static_cast<void>(a.view()), doctest::Contains("data_is_null"), rejection);
    CHECK(a.clone().data() == nullptr);

    b = tensor<float>(layout({5}, "a"));
    CHECK(b.bytes().size() == 20);
    CHECK(b.plain_layout() == layout({5}, "a"));
    std::swap(b, copy);
    CHECK(b.view()(2, 3) == 2);
}

TEST_CASE("tensor: a const one has const elements; a temporary has no view") {
    const tensor<float, nchw<1, 2, 3, 4>> t;
    STATIC_CHECK(std::is_same_v<decltype(t.view()), tensor_view<const float, nchw<1, 2, 3, 4>>>);
    STATIC_CHECK(std::is_same_v<decltype(t.data()), const float*>);
    STATIC_CHECK(!has_view<tensor<float, layout>> && has_view<const tensor<float, layout>&>);
}

TEST_CASE("tensor: reorder takes the views, and writes zeros into the padding") {
    tensor<float, nchw<1, 17, 2, 3>> plain;
    for (std::size_t i = 0; i < 17 * 6; ++i) plain.data()[i] = static_cast<float>(i + 1);
    tensor<float, nChw16c<1, 17, 2, 3>> blocked;
    std::fill(blocked.bytes().begin(), blocked.bytes().end(), std::byte{0x7f});
    reorder(std::as_const(plain).view(), blocked.view());
    CHECK(blocked.view()(0, 16, 1, 2) == 17 * 6);
    CHECK(is_padding_zero(blocked.view()));
    CHECK(blocked.view().block(0, 1, 0, 0)[1] == 0);
}

TEST_CASE("tensor: padding that was written is zeroed by zero_pad, and no element changes") {
    tensor<float, nChw16c<1, 17, 2, 3>> whole;
    for (std::size_t i = 0; i < 2 * 6 * 16; ++i) whole.data()[i] = 3;
    CHECK(!is_padding_zero(whole.view()));
    const auto padded = zero_pad(whole.view());
    STATIC_CHECK(zero_padded<decltype(padded)>);
    CHECK(is_padding_zero(whole.view()));
    dim_t threes = 0;
    for_each_element(whole.view(), [&](float x) { threes += x == 3; });
    CHECK(threes == 17 * 6);
}

TEST_CASE("tensor: elements smaller than a byte share bytes; their padding is zeroed alone") {
    tensor<u4, format<"aB8b", 3, 13>> t;
    CHECK(t.bytes().size() == 3 * 16 / 2);
    t.view()(2, 12) = u4(9);
    CHECK(static_cast<int>(t.view()(2, 12)) == 9);
    CHECK(static_cast<int>(std::as_const(t).view()(2, 12)) == 9);
    std::fill(t.bytes().begin(), t.bytes().end(), std::byte{0xff});
    CHECK(!is_padding_zero(t.view()));
    const auto held = zero_pad(t.view());
    CHECK(is_padding_zero(t.view()));
    CHECK(is_padding_zero(held));
    for (dim_t a = 0; a < 3; ++a) {
        for (dim_t b = 0; b < 13; ++b) CHECK(static_cast<int>(held(a, b)) == 15);
        CHECK(t.bytes()[static_cast<std::size_t>(a * 8 + 6)] == std::byte{0x0f});
        CHECK(t.bytes()[static_cast<std::size_t>(a * 8 + 7)] == std::byte{0});
    }
    held(1, 2) = u4(4);
    CHECK(static_cast<int>(t.view().at(1, 2)) == 4);
    CHECK(static_cast<int>(held.at(1, 2)) == 4);

    tensor<u4, formats::ab<3, 13>> plain;
    reorder<format<"aB8b", 3, 13>::value, formats::ab<3, 13>::value, u4, u4>(t.bytes().data(), plain.bytes().data());
    CHECK(static_cast<int>(nibbles<u4>(plain.bytes().data())[15]) == 4);
}

TEST_CASE("zero_pad of a view whose first element lies inside a byte") {
    // Odd rows of 5 elements of 4 bits begin in the middle of a byte.
    std::vector<std::byte> memory(16, std::byte{0xff});
    const tensor_view v(nibbles<u4>(memory.data()) + 1, layout({2, 3}, "aB4b"));
    CHECK(!is_padding_zero(v));
    static_cast<void>(zero_pad(v));
    CHECK(is_padding_zero(v));
    for (int i = 0; i < 32; ++i) CHECK(static_cast<int>(nibbles<u4>(memory.data())[i]) == (i == 4 || i == 8 ? 0 : 15));
}

TEST_CASE("tensor: other elements that are trivially copyable") {
    struct pixel {
        std::uint8_t r, g, b;
    };
    tensor<pixel> image(layout({4, 5}, "ab"));
    CHECK(image.bytes().size() == 60);
    image.view()(3, 4) = {1, 2, 3};
    CHECK(image.data()[19].b == 3);
    tensor<std::complex<double>, formats::ab<3, 4>> z;
    CHECK(z.bytes().size() == 192);
}

TEST_CASE("tensor: refuses layouts without a size") {
    CHECK_THROWS_WITH_AS(tensor<float>(layout({dynamic, 3}, "ab")), doctest::Contains("dim_is_dynamic"), rejection);
    CHECK_THROWS_WITH_AS(tensor<float>(layout{}), doctest::Contains("layout_is_undefined"), rejection);
    const layout wide({dim_t{1} << 31, dim_t{1} << 30}, "ab");  // 2^61 places
    CHECK_THROWS_WITH_AS(tensor<double>{wide}, doctest::Contains("size_overflows"), rejection);
    const verdict why = detail::check_memory(wide, 64);
    CHECK(why.first == dim_t{1} << 61);
    CHECK(why.second == 8);
    // 2^63 bits do not fit in 63 bits; 2^60 elements of 4 bits, in 2^59 bytes, do.
    CHECK(detail::check_memory(layout({dim_t{1} << 61}, "a"), 4).reason == reason::size_overflows);
    CHECK(*detail::bytes_from_the_origin(layout({dim_t{1} << 60}, "a"), 4) == dim_t{1} << 59);
}

}  // namespace test_view_tensor
