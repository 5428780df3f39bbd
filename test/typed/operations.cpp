#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/canonical_form.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/forget_padding.hpp>
#include <plait/algebra/join_axes.hpp>
#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/repeat.hpp>
#include <plait/algebra/slice.hpp>
#include <plait/algebra/split_axis.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/algebra/with_strides.hpp>
#include <plait/typed/operations.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

#include <boost/hana/integral_constant.hpp>

#include <type_traits>

namespace test_typed_operations {

using namespace plait;
using namespace plait::detail;
using plait::formats::ab;

namespace {

constexpr auto source = layout_c<layout({2, 17, 5, 4}, "nChw8c")>;
using source_type = layout_constant<layout({2, 17, 5, 4}, "nChw8c")>;

/// Checks that a lifted operation returns the constant of the resulting layout.
template <layout L>
constexpr bool is_constant_of(layout_constant<L>, const layout& expected) {
    return L == expected;
}

template <int N>
inline constexpr std::integral_constant<int, N> number{};

}  // namespace

TEST_CASE("operations on constants: return the constant of the operation on the values") {
    constexpr auto permuted = permute_axes(source, permutation_c<2, 0, 3, 1>);
    STATIC_CHECK(std::is_same_v<decltype(permuted), const layout_constant<layout({17, 4, 2, 5}, "cAdb8a")>>);
    constexpr auto renamed = rename_axes(source, permutation_c<1, 3, 0, 2>);
    STATIC_CHECK(std::is_same_v<decltype(renamed), const layout_constant<layout({17, 4, 2, 5}, "cAdb8a")>>);
    STATIC_CHECK(std::is_same_v<decltype(permute_axes(permuted, permutation_c<1, 3, 0, 2>)), source_type>);
    STATIC_CHECK(std::is_empty_v<decltype(permuted)>);
}

TEST_CASE("operations on constants: take named formats, and partly static layouts") {
    constexpr auto permuted = permute_axes(nChw8c<2, 17, 5, 4>{}, permutation_c<2, 0, 3, 1>);
    STATIC_CHECK(permuted.value == layout({17, 4, 2, 5}, "cAdb8a"));
    constexpr auto partly = permute_axes(nhwc<dynamic, 3, 5, 4>{}, permutation_c<3, 2, 1, 0>);
    STATIC_CHECK(partly.value.dims == dims{4, 5, 3, dynamic});
    // The layout as a value has the same result.
    STATIC_CHECK(permute_axes(source.value, {2, 0, 3, 1}) == permute_axes(source, permutation_c<2, 0, 3, 1>).value);
}

TEST_CASE("operations on constants: each equals the operation on the values") {
    STATIC_CHECK(is_constant_of(adapt(nhwc<2, 5, 3, 4>{}, axis_map_c<0, 3, 1, 2>, axis_map_c<3, 2, 0, 1>),
                                layout({5, 4, 2, 3}, "hwio")));
    STATIC_CHECK(is_constant_of(reshape(nchw<2, 17, 5, 4>{}, dims_c<2, 17, 20>), layout({2, 17, 20}, "abc")));
    STATIC_CHECK(is_constant_of(view(layout_c<layout({4, 16}, "aB4b")>, dims_c<4, 2, 8>),
                                view(layout({4, 16}, "aB4b"), {4, 2, 8})));
    STATIC_CHECK(is_constant_of(extended_reshape(layout_c<layout({4, 6}, "ba")>, dims_c<24>,
                                                 reshape_flags_c<reshape_flags::allow_order_mismatch>),
                                layout({24}, "a")));
    STATIC_CHECK(
        is_constant_of(split_axis(nchw<2, 6, 5, 4>{}, number<1>, dims_c<2, 3>), layout({2, 2, 3, 5, 4}, "abcde")));
    STATIC_CHECK(is_constant_of(join_axes(nchw<2, 6, 5, 4>{}, number<2>, number<3>), layout({2, 6, 20}, "abc")));
    STATIC_CHECK(is_constant_of(flatten(nchw<2, 6, 5, 4>{}), layout({240}, "a")));
    STATIC_CHECK(is_constant_of(flatten(nchw<2, 6, 5, 4>{}, number<1>), layout({2, 120}, "ab")));
    STATIC_CHECK(is_constant_of(flatten(nchw<2, 6, 5, 4>{}, number<1>, number<2>), layout({2, 30, 4}, "abc")));
    STATIC_CHECK(is_constant_of(submemory(nChw16c<2, 32, 5, 6>{}, dims_c<2, 16, 3, 6>, position_c<0, 16, 2, 0>),
                                submemory(layout({2, 32, 5, 6}, "nChw16c"), {2, 16, 3, 6}, {0, 16, 2, 0})));
    STATIC_CHECK(is_constant_of(slice(source, number<1>, number<16>), slice(source.value, 1, 16)));
    STATIC_CHECK(is_constant_of(broadcast_axis(ab<1, 3>{}, number<0>, number<4>), layout({4, 3}, strides{0, 1})));
    STATIC_CHECK(is_constant_of(repeat(ab<2, 3>{}, number<1>, number<2>), repeat(layout({2, 3}, "ab"), 1, 2)));
    STATIC_CHECK(is_constant_of(with_strides(ab<2, 3>{}, strides_c<5, 1>), layout({2, 3}, strides{5, 1})));
}

TEST_CASE("operations on constants: layouts of the same memory have one canonical form, also as types") {
    const auto blocked = canonical_form(layout_c<layout({2, 16}, "aB16b")>);
    STATIC_CHECK(std::is_same_v<decltype(blocked), const decltype(canonical_form(layout_c<layout({2, 16}, "ab")>))>);
    STATIC_CHECK(is_constant_of(blocked, canonical_form(layout({2, 16}, "ab"))));
    STATIC_CHECK(
        is_constant_of(forget_padding(layout_c<layout({3, 4}, "Ab4a")>), forget_padding(layout({3, 4}, "Ab4a"))));
}

TEST_CASE("operations on constants: numbers may be integral constants of any type, except bool and enumerations") {
    using namespace boost::hana::literals;
    STATIC_CHECK(is_constant_of(split_axis(ab<2, 6>{}, 1_c, dims_c<2, 3>), layout({2, 2, 3}, "abc")));
    STATIC_CHECK(is_constant_of(slice(ab<2, 6>{}, boost::hana::size_c<0>, std::integral_constant<short, 1>{}),
                                slice(layout({2, 6}, "ab"), 0, 1)));
    STATIC_CHECK(number_constant<std::integral_constant<unsigned char, 3>>);
    STATIC_CHECK(number_constant<boost::hana::int_<3>>);
    STATIC_CHECK(!number_constant<std::true_type>);
    STATIC_CHECK(!number_constant<int>);
    STATIC_CHECK(!number_constant<dims_constant<dims{1}>>);
    STATIC_CHECK(!number_constant<std::integral_constant<reshape_flags, reshape_flags::none>>);
}

TEST_CASE("operations on constants: constants next to a value are treated as values") {
    int axis = 1;
    const auto split = split_axis(ab<2, 6>{}, axis, dims{2, 3});
    CHECK(std::is_same_v<decltype(split), const layout>);
    CHECK(split == layout({2, 2, 3}, "abc"));
    CHECK(reshape(ab<2, 6>{}, dims{12}) == layout({12}, "a"));
    CHECK(reshape(layout({2, 6}, "ab"), dims_c<12>) == layout({12}, "a"));
    CHECK(flatten(ab<2, 6>{}, axis) == layout({2, 6}, "ab"));
}

}  // namespace test_typed_operations
