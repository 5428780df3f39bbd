#include <plait/typed/bound_layout.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/formats.hpp>

#include <concepts>
#include <type_traits>

using namespace plait;

namespace {

constexpr auto partly_static = layout_c<layout({dynamic, 64, dynamic, dynamic}, "nChw16c")>;

}  // namespace

TEST_CASE("bound_layout: is the layout with the extents filled in, in their order") {
    constexpr auto bound = bind(partly_static, 2, 7, 9);
    STATIC_CHECK(static_cast<layout>(bound) == layout({2, 64, 7, 9}, "nChw16c"));
    STATIC_CHECK(bound.offset(1, 17, 2, 3) == layout({2, 64, 7, 9}, "nChw16c").offset(1, 17, 2, 3));
    STATIC_CHECK(bound.offset(position{1, 17, 2, 3}) == bound.offset(1, 17, 2, 3));
    STATIC_CHECK(std::is_same_v<decltype(bound), const bound_layout<partly_static.value>>);
    STATIC_CHECK(bound.partly_static == partly_static.value);
    STATIC_CHECK(static_cast<layout>(bound_layout<partly_static.value>({2, 7, 9})) == static_cast<layout>(bound));
}

TEST_CASE("bound_layout: carries one number a dynamic extent, and no more") {
    STATIC_CHECK(sizeof(bind(partly_static, 2, 7, 9)) == 3 * sizeof(dim_t));
    STATIC_CHECK(sizeof(bind(layout_c<layout({dynamic, 3}, "ab")>, 2)) == sizeof(dim_t));
    STATIC_CHECK(sizeof(bind(layout_c<layout({2, 3}, "ab")>)) <= sizeof(dim_t));
    STATIC_CHECK(std::is_trivially_copyable_v<bound_layout<partly_static.value>>);
}

TEST_CASE("bound_layout: of a static layout, of a named format, and with any integers") {
    STATIC_CHECK(static_cast<layout>(bind(layout_c<layout({2, 3}, "ab")>)) == layout({2, 3}, "ab"));
    STATIC_CHECK(static_cast<layout>(bind(nchw<dynamic, 3, dynamic, 4>{}, 2U, short{5})) ==
                 layout({2, 3, 5, 4}, "nchw"));
}

TEST_CASE("bound_layout: does not come from numbers unasked") {
    STATIC_CHECK(!std::is_convertible_v<dims, bound_layout<partly_static.value>>);
    STATIC_CHECK(std::is_constructible_v<bound_layout<partly_static.value>, dims>);
    STATIC_CHECK(std::is_convertible_v<bound_layout<partly_static.value>, layout>);
}

TEST_CASE("bound_layout: refuses what bind refuses, when it is made") {
    using plait_test::refusal_of;
    using bound = bound_layout<partly_static.value>;
    CHECK((refusal_of([] { return bound({2, 7}); }) == verdict{reason::bound_values_do_not_match, -1, 2, 3}));
    CHECK((refusal_of([] { return bound({2, 7, 9, 1}); }) == verdict{reason::bound_values_do_not_match, -1, 4, 3}));
    CHECK((refusal_of([] { return bind(partly_static, 2, -7, 9); }) == verdict{reason::dim_is_negative, 2, -7, 0}));
    CHECK((refusal_of([] { return bind(partly_static, INT64_MAX, 7, 9); }).reason == reason::size_overflows));
    CHECK((refusal_of([] { return bind(partly_static, 2, 7, 9).offset(2, 0, 0, 0); }).reason ==
           reason::position_is_out_of_range));
}
