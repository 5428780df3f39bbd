#include <plait/algebra/operations.hpp>
#include <plait/typed/operations.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

#include <boost/hana/integral_constant.hpp>

#include <type_traits>

namespace test_typed_operations { namespace {

using namespace plait;
using namespace plait::detail;
using plait::formats::ab;

constexpr auto source = layout_c<layout({2, 17, 5, 4}, "nChw8c")>;

/// Checks that a lifted operation returns the constant of the resulting layout.
template <layout L>
constexpr bool is_constant_of(layout_constant<L>, const layout& expected) {
    return L == expected;
}

TEST_CASE("operations on constants: take named formats, and partly static layouts") {
    constexpr auto permuted = permute_axes(nChw8c<2, 17, 5, 4>{}, permutation_c<2, 0, 3, 1>);
    STATIC_CHECK(permuted.value == layout({17, 4, 2, 5}, "cAdb8a"));
    constexpr auto partly = permute_axes(nhwc<dynamic, 3, 5, 4>{}, permutation_c<3, 2, 1, 0>);
    STATIC_CHECK(partly.value.dims == dims{4, 5, 3, dynamic});
    // The layout as a value has the same result.
    STATIC_CHECK(permute_axes(source.value, {2, 0, 3, 1}) == permute_axes(source, permutation_c<2, 0, 3, 1>).value);
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

TEST_CASE("operations on constants: permutations and axis maps keep their own compose and inverse") {
    STATIC_CHECK(inverse(permutation_c<1, 2, 0>) == permutation{2, 0, 1});
    STATIC_CHECK(compose(axis_map_c<1, 2, 0>, axis_map_c<1, 2, 0>) == axis_map{2, 0, 1});
}

}}  // namespace test_typed_operations
