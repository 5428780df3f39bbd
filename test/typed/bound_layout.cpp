#include <plait/typed/bound_layout.hpp>

#include "laws/layout_laws.hpp"

#include <plait/typed/formats.hpp>

#include <concepts>
#include <type_traits>

namespace test_typed_bound_layout {

using namespace plait;

namespace {

constexpr auto partly_static = layout_c<layout({dynamic, 64, dynamic, dynamic}, "nChw16c")>;

}  // namespace

TEST_CASE("bound_layout: equals the layout with the extents filled in, in their order") {
    constexpr auto bound = bind(partly_static, 2, 7, 9);
    STATIC_CHECK(static_cast<layout>(bound) == layout({2, 64, 7, 9}, "nChw16c"));
    STATIC_CHECK(bound.offset(1, 17, 2, 3) == layout({2, 64, 7, 9}, "nChw16c").offset(1, 17, 2, 3));
    STATIC_CHECK(bound.offset(position{1, 17, 2, 3}) == bound.offset(1, 17, 2, 3));
    STATIC_CHECK(std::is_same_v<decltype(bound), const bound_layout<partly_static.value>>);
    STATIC_CHECK(bound.partly_static == partly_static.value);
    STATIC_CHECK(static_cast<layout>(bound_layout<partly_static.value>({2, 7, 9})) == static_cast<layout>(bound));
}

TEST_CASE("bound_layout: stores exactly one number per dynamic extent") {
    STATIC_CHECK(sizeof(bind(partly_static, 2, 7, 9)) == 3 * sizeof(dim_t));
    STATIC_CHECK(sizeof(bind(layout_c<layout({dynamic, 3}, "ab")>, 2)) == sizeof(dim_t));
    STATIC_CHECK(sizeof(bind(layout_c<layout({2, 3}, "ab")>)) <= sizeof(dim_t));
    STATIC_CHECK(std::is_trivially_copyable_v<bound_layout<partly_static.value>>);
}

TEST_CASE("bound_layout: bind accepts static layouts, named formats, and integers of any type") {
    STATIC_CHECK(static_cast<layout>(bind(layout_c<layout({2, 3}, "ab")>)) == layout({2, 3}, "ab"));
    STATIC_CHECK(static_cast<layout>(bind(nchw<dynamic, 3, dynamic, 4>{}, 2U, short{5})) ==
                 layout({2, 3, 5, 4}, "nchw"));
}

TEST_CASE("bound_layout: has no implicit conversion from numbers") {
    STATIC_CHECK(!std::is_convertible_v<dims, bound_layout<partly_static.value>>);
    STATIC_CHECK(std::is_constructible_v<bound_layout<partly_static.value>, dims>);
    STATIC_CHECK(std::is_convertible_v<bound_layout<partly_static.value>, layout>);
}

TEST_CASE("bound_layout: its constructor refuses the extents that bind refuses") {
    using plait_test::refusal_of;
    using bound = bound_layout<partly_static.value>;
    CHECK((refusal_of([] { return bound({2, 7}); }) == verdict{reason::bound_values_do_not_match, -1, 2, 3}));
    CHECK((refusal_of([] { return bound({2, 7, 9, 1}); }) == verdict{reason::bound_values_do_not_match, -1, 4, 3}));
    CHECK((refusal_of([] { return bind(partly_static, 2, -7, 9); }) == verdict{reason::dim_is_negative, 2, -7, 0}));
    CHECK((refusal_of([] { return bind(partly_static, INT64_MAX, 7, 9); }).reason == reason::size_overflows));
    CHECK((refusal_of([] { return bind(partly_static, 2, 7, 9).offset(2, 0, 0, 0); }).reason ==
           reason::position_is_out_of_range));
}

namespace {

/// Checks that offsets at every position, strides and blocks of a bound layout equal the layout's.
template <layout L>
bool is_its_layout(const bound_layout<L>& bound) {
    const layout l = bound;
    return [&]<int... A>(std::integer_sequence<int, A...>) {
        bool same = ((bound.template stride<A>() == l.digits[A].stride && bound.blocks(A) == l.digits[A].extent &&
                      bound.extent(A) == l.dims[A]) &&
                     ...);
        position at = plait_test::origin(l.ndims());
        if (l.volume() > 0) do
                same = same && bound.offset(at.values[A]...) == l.offset(at);
            while (plait_test::advance(at, l.dims));
        return same;
    }
    (std::make_integer_sequence<int, L.ndims()>());
}

template <layout L>
int bound_values_that_differ() {
    int differ = 0;
    for (const dim_t n : {0, 1, 2})
        for (const dim_t c : {0, 1, 16, 17})
            for (const dim_t h : {0, 1, 3}) differ += !is_its_layout(bound_layout<L>({n, c, h}));
    return differ;
}

}  // namespace

TEST_CASE("bound_layout: an offset computed without binding equals the layout's, also for extents of 0 and 1") {
    CHECK(bound_values_that_differ<layout({dynamic, dynamic, dynamic, 2}, "nChw16c")>() == 0);
    CHECK(bound_values_that_differ<layout({dynamic, dynamic, dynamic, 2}, "nhwc")>() == 0);
    CHECK(bound_values_that_differ<layout({dynamic, dynamic, 3, dynamic}, "BAcd4b2a2b")>() == 0);
    CHECK(bound_values_that_differ<layout({dynamic, 1, dynamic, dynamic}, "dcab")>() == 0);
    CHECK(bound_values_that_differ<layout({dynamic, dynamic, dynamic}, "aBc6b", strides{4096, 1024, 6})>() == 0);
}

TEST_CASE("bound_layout: refuses the offsets that the layout refuses") {
    using plait_test::refusal_of;
    const auto bound = bind(partly_static, 2, 7, 9);
    CHECK((refusal_of([&] { return bound.offset(1, 64, 0, 0); }) ==
           verdict{reason::position_is_out_of_range, 1, 64, 64}));
    CHECK(
        (refusal_of([&] { return bound.offset(1, 0, -1, 0); }) == verdict{reason::position_is_out_of_range, 2, -1, 7}));
    CHECK((refusal_of([&] { return bound.offset(1, 0, 0); }) == verdict{reason::rank_differs, -1, 3, 4}));
    const bound_layout<partly_static.value> partly({2, dynamic, 9});
    CHECK((refusal_of([&] { return partly.offset(0, 0, 0, 0); }) == verdict{reason::dim_is_dynamic, 2}));
    const auto lost = bind(layout_c<layout({dynamic, 4}, strides{dynamic, 1})>, 3);
    CHECK((refusal_of([&] { return lost.offset(0, 0); }) == verdict{reason::stride_is_dynamic, 0}));
    CHECK(!lost.strides_follow_from_extents());
    CHECK(bound.strides_follow_from_extents());
}

}  // namespace test_typed_bound_layout
