#include <plait/typed/constants.hpp>

#include "support/small_layouts.hpp"

#include <type_traits>

namespace test_typed_constants { namespace {

using namespace plait;

template <layout L>
struct named : layout_constant<L> {};

struct wrong_value {
    static constexpr int value = 3;
};
struct a_layout {
    static constexpr layout value = layout({2}, "a");
};

TEST_CASE("constants: empty objects that carry a value and convert to it") {
    STATIC_CHECK(std::is_empty_v<layout_constant<layout({2, 3}, "ab")>>);
    STATIC_CHECK(layout_c<layout({2, 3}, "ab")>.value == layout({2, 3}, "ab"));
    STATIC_CHECK(static_cast<layout>(layout_c<layout({2, 3}, "ba")>) == layout({2, 3}, "ba"));
    STATIC_CHECK(std::is_empty_v<dims_constant<dims{2, 3}>>);
    STATIC_CHECK(dims_c<2, 3>.value == dims{2, 3});
    STATIC_CHECK(static_cast<dims>(dims_c<>) == dims{});
    STATIC_CHECK(std::is_empty_v<permutation_constant<permutation{1, 0}>>);
    STATIC_CHECK(permutation_c<1, 2, 0>.value == permutation{1, 2, 0});
    STATIC_CHECK(static_cast<permutation>(permutation_c<1, 0>) == permutation{1, 0});
}

TEST_CASE("constants: equal values are one type, and a constant may be used as a value") {
    STATIC_CHECK(std::is_same_v<layout_constant<layout({2, 3}, "nc")>, layout_constant<layout({2, 3}, strides{3, 1})>>);
    STATIC_CHECK(std::is_same_v<decltype(dims_c<2, 3>), const dims_constant<dims{2, 3}>>);
    STATIC_CHECK(std::is_same_v<layout_constant<layout_c<layout({2}, "a")>>, layout_constant<layout({2}, "a")>>);
    STATIC_CHECK(!std::is_convertible_v<dims_constant<dims{1, 0}>, permutation>);
    STATIC_CHECK(!std::is_convertible_v<permutation_constant<permutation{1, 0}>, dims>);
    STATIC_CHECK(!std::is_convertible_v<layout_constant<layout({2}, "a")>, dims>);
}

TEST_CASE("layout_type: true for types with a layout") {
    STATIC_CHECK(layout_type<layout_constant<layout({2}, "a")>>);
    STATIC_CHECK(layout_type<const layout_constant<layout({2}, "a")>>);
    STATIC_CHECK(layout_type<named<layout({2}, "a")>>);
    STATIC_CHECK(layout_type<a_layout>);
    STATIC_CHECK(!layout_type<wrong_value>);
    STATIC_CHECK(!layout_type<layout>);
    STATIC_CHECK(!layout_type<dims_constant<dims{2}>>);
    STATIC_CHECK(!layout_type<int>);
    STATIC_CHECK(!layout_type<void>);
}

TEST_CASE("constants: objects that store the values of their arguments") {
    STATIC_CHECK(layout_c<layout({2, 3}, "ab")>.value == layout({2, 3}, "ab"));
    STATIC_CHECK(layout_c<layout({2, 3}, "ab")>.offset(1, 2) == 5);
    STATIC_CHECK(dims_c<2, 3>.value == dims{2, 3});
    STATIC_CHECK(strides_c<3, 1>.value == strides{3, 1});
    STATIC_CHECK(position_c<1, 2>.value == position{1, 2});
    STATIC_CHECK(axis_map_c<0, 3, 1, 2>.value == axis_map{0, 3, 1, 2});
    STATIC_CHECK(permutation_c<0, 3, 1, 2>.value == permutation{0, 3, 1, 2});
}

}}  // namespace test_typed_constants
