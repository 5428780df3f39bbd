#include <plait/algebra/operations.hpp>
#include <plait/typed/operations.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

#include <type_traits>

namespace test_typed_bound_operations { namespace {

using namespace plait;
using namespace plait::detail;
using plait_test::refusal_of;

constexpr auto blocked = layout_c<layout({dynamic, 64, dynamic, dynamic}, "nChw16c")>;
constexpr auto plain = layout_c<layout({dynamic, 6, dynamic}, "abc")>;

template <int N>
inline constexpr std::integral_constant<int, N> number{};

/// True if a result is bound, equals `expected`, and stores one number per open extent of `open`.
template <layout L>
constexpr bool is_bound(const bound_layout<L>& result, const layout& open, const layout& expected) {
    const int numbers = dynamic_extents(L) > 0 ? dynamic_extents(L) : 1;
    return L == open && static_cast<layout>(result) == expected &&
           sizeof(result) == static_cast<std::size_t>(numbers) * sizeof(dim_t);
}
/// True if a result is a plain layout.
constexpr bool is_plain(const layout& result, const layout& expected) { return result == expected; }
template <layout L>
constexpr bool is_plain(const bound_layout<L>&, const layout&) {
    return false;
}

TEST_CASE("bound layouts: results that hold for every value stay partly static") {
    constexpr auto bound = bind(blocked, 2, 7, 9);
    constexpr layout value({2, 64, 7, 9}, "nChw16c");
    STATIC_CHECK(is_bound(permute_axes(bound, permutation_c<1, 0, 3, 2>), permute_axes(blocked.value, {1, 0, 3, 2}),
                          permute_axes(value, {1, 0, 3, 2})));
    STATIC_CHECK(is_bound(rename_axes(bound, permutation_c<1, 2, 3, 0>), rename_axes(blocked.value, {1, 2, 3, 0}),
                          rename_axes(value, {1, 2, 3, 0})));
    STATIC_CHECK(is_bound(adapt(bound, axis_map_c<0, 1, 2, 3>, axis_map_c<0, 2, 3, 1>),
                          adapt(blocked.value, {0, 1, 2, 3}, {0, 2, 3, 1}), adapt(value, {0, 1, 2, 3}, {0, 2, 3, 1})));
    STATIC_CHECK(is_bound(join_axes(bound, number<2>, number<3>), join_axes(blocked.value, 2, 3),
                          layout({2, 64, 63}, "aBc16b")));
    STATIC_CHECK(is_bound(flatten(bound, number<2>), join_axes(blocked.value, 2, 3), layout({2, 64, 63}, "aBc16b")));
    STATIC_CHECK(is_bound(slice(bind(layout_c<layout({dynamic, 6, 4}, "abc")>, 2), number<1>, number<5>),
                          slice(layout({dynamic, 6, 4}, "abc"), 1, 5), slice(layout({2, 6, 4}, "abc"), 1, 5)));
    STATIC_CHECK(is_bound(tile(bind(nhwc<dynamic, 64, dynamic, 5>{}, 2, 7), dims_c<1, 16, 1, 5>),
                          tile(layout({dynamic, 64, dynamic, 5}, "nhwc"), {1, 16, 1, 5}),
                          tile(layout({2, 64, 7, 5}, "nhwc"), {1, 16, 1, 5})));
    STATIC_CHECK(is_bound(repeat(bind(layout_c<layout({dynamic, 6, 4}, "abc")>, 2), number<1>, number<4>),
                          repeat(layout({dynamic, 6, 4}, "abc"), 1, 4), repeat(layout({2, 6, 4}, "abc"), 1, 4)));
    STATIC_CHECK(is_bound(with_strides(bind(plain, 2, 3), strides_c<1000, 100, 1>),
                          with_strides(plain.value, {1000, 100, 1}), layout({2, 6, 3}, strides{1000, 100, 1})));
}

TEST_CASE("bound layouts: dynamic entries of new dims stand, in order, for the bound extents") {
    constexpr auto bound = bind(plain, 2, 3);
    STATIC_CHECK(is_bound(reshape(bound, dims_c<dynamic, 2, 3, dynamic>), layout({dynamic, 2, 3, dynamic}, "abcd"),
                          layout({2, 2, 3, 3}, "abcd")));
    STATIC_CHECK(is_bound(view(bound, dims_c<dynamic, 1, 6, dynamic>), layout({dynamic, 1, 6, dynamic}, "abcd"),
                          layout({2, 1, 6, 3}, "abcd")));
    STATIC_CHECK(is_bound(
        extended_reshape(bound, dims_c<dynamic, 2, 3, dynamic>, reshape_flags_c<reshape_flags::allow_order_mismatch>),
        layout({dynamic, 2, 3, dynamic}, "abcd"), layout({2, 2, 3, 3}, "abcd")));
    STATIC_CHECK(is_bound(split_axis(bound, number<1>, dims_c<3, 2>), layout({dynamic, 3, 2, dynamic}, "abcd"),
                          layout({2, 3, 2, 3}, "abcd")));
    // The part of the second open axis stands for that axis, not for the first.
    STATIC_CHECK(is_bound(split_axis(bound, number<2>, dims_c<1, dynamic>), layout({dynamic, 6, 1, dynamic}, "abcd"),
                          layout({2, 6, 1, 3}, "abcd")));
}

TEST_CASE("bound layouts: results that depend on the values are computed at run time") {
    constexpr auto bound = bind(blocked, 2, 7, 9);
    constexpr layout value({2, 64, 7, 9}, "nChw16c");
    STATIC_CHECK(is_plain(reshape(bind(plain, 2, 3), dims_c<12, 3>), layout({12, 3}, "ab")));
    STATIC_CHECK(is_plain(split_axis(bound, number<3>, dims_c<3, 3>), split_axis(value, 3, {3, 3})));
    STATIC_CHECK(is_plain(slice(bound, number<0>, number<1>), slice(value, 0, 1)));
    STATIC_CHECK(is_plain(repeat(bound, number<0>, number<2>), repeat(value, 0, 2)));
    STATIC_CHECK(is_plain(broadcast_axis(bind(plain, 1, 3), number<0>, number<5>),
                          broadcast_axis(layout({1, 6, 3}, "abc"), 0, 5)));
    STATIC_CHECK(is_plain(submemory(bound, dims_c<dynamic, 16, 3, dynamic>, position_c<0, 16, 2, 0>),
                          submemory(value, {2, 16, 3, 9}, {0, 16, 2, 0})));
    // Without axis 1, the type would not determine the stride of axis 0.
    STATIC_CHECK(is_plain(slice(bind(plain, 2, 3), number<1>, number<4>), slice(layout({2, 6, 3}, "abc"), 1, 4)));
    // An open axis with blocks: with one element it would be padded, and its offsets would differ.
    STATIC_CHECK(is_plain(reshape(bind(nChw16c<2, dynamic, 3, 3>{}, 1), dims_c<2, dynamic, 1, 9>),
                          reshape(layout({2, 1, 3, 3}, "nChw16c"), {2, 1, 1, 9})));
    CHECK((refusal_of([&] { return split_axis(bound, number<3>, dims_c<2, 4>); }) ==
           verdict{reason::volumes_differ, 3, 9, 8}));
    CHECK((refusal_of([&] { return slice(bound, number<0>, number<2>); }) ==
           verdict{reason::position_is_out_of_range, 0, 2, 2}));
    CHECK((refusal_of([&] { return submemory(bound, dims_c<1, 16, 8, 9>, position_c<0, 0, 0, 0>); }).reason ==
           reason::part_is_outside_parent));
}

TEST_CASE("bound layouts: operations on two bound layouts") {
    constexpr auto outer = layout_c<layout({dynamic}, strides{1000})>;
    constexpr auto pair = concatenate(bind(outer, 3), bind(plain, 2, 4));
    STATIC_CHECK(is_bound(pair, concatenate(outer.value, plain.value),
                          concatenate(layout({3}, strides{1000}), layout({2, 6, 4}, "abc"))));
    STATIC_CHECK(is_bound(concatenate(layout_c<layout({3}, strides{1000})>, bind(plain, 2, 4)),
                          concatenate(layout({3}, strides{1000}), plain.value),
                          concatenate(layout({3}, strides{1000}), layout({2, 6, 4}, "abc"))));
    STATIC_CHECK(is_bound(concatenate(bind(plain, 2, 4), layout_c<layout({3}, strides{1000})>),
                          concatenate(plain.value, layout({3}, strides{1000})),
                          concatenate(layout({2, 6, 4}, "abc"), layout({3}, strides{1000}))));
    STATIC_CHECK(is_bound(concatenate(bind(outer, 3), bind(plain, 100, 4)), concatenate(outer.value, plain.value),
                          concatenate(layout({3}, strides{1000}), layout({100, 6, 4}, "abc"))));
}

TEST_CASE("bound layouts: run-time arguments, and operations that need every extent, make plain layouts") {
    constexpr auto bound = bind(plain, 2, 3);
    constexpr layout value({2, 6, 3}, "abc");
    STATIC_CHECK(is_plain(reshape(bound, dims{36}), layout({36}, "a")));
    STATIC_CHECK(is_plain(slice(bound, 1, 4), slice(value, 1, 4)));
    STATIC_CHECK(is_plain(slice(bound, number<1>, 4), slice(value, 1, 4)));
    STATIC_CHECK(is_plain(permute_axes(bound, permutation{2, 1, 0}), permute_axes(value, {2, 1, 0})));
    STATIC_CHECK(is_plain(inverse(bound), inverse(value)));
    STATIC_CHECK(is_plain(canonical_form(bound), canonical_form(value)));
    STATIC_CHECK(is_plain(compose(bound, layout_c<layout({4}, strides{3})>), compose(value, layout({4}, strides{3}))));
    STATIC_CHECK(is_plain(divide(bound, layout({3}, "a")), divide(value, layout({3}, "a"))));
}

}}  // namespace test_typed_bound_operations
