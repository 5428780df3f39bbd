#include <plait/typed/named_layout.hpp>

#include "support/small_layouts.hpp"

#include <plait/typed/concepts.hpp>
#include <plait/typed/formats.hpp>

namespace test_typed_named_layout { namespace {

using namespace plait;
using namespace plait::detail;

using activations = nchw<2, 64, 5, 4>;
using weights = oihw<2, 64, 5, 4>;
using nameless = abcd<2, 64, 5, 4>;
using partly_bound = decltype(bind(layout_c<layout({2, dynamic, 5, 4}, "nchw")>, 64));

constexpr int kernel(...) { return 0; }
template <class L>
    requires with_axes<L, "oihw">
constexpr int kernel(L) { return 1; }

TEST_CASE("with_axes: compares names, whereas matches compares memory") {
    STATIC_CHECK(with_axes<activations, "nchw">);
    STATIC_CHECK(!with_axes<activations, "oihw">);
    STATIC_CHECK(with_axes<weights, "oihw">);
    STATIC_CHECK(matches<activations, "oihw">);
    STATIC_CHECK(matches<weights, "nchw">);
    STATIC_CHECK(with_axes<nhwc<2, 5, 4, 3>, "nchw">);
    STATIC_CHECK(with_axes<OIhw16i16o<64, 64, 3, 3>, "oihw">);
    STATIC_CHECK(with_axes<const activations, "nchw">);
    STATIC_CHECK(kernel(weights()) == 1);
    STATIC_CHECK(kernel(activations()) == 0);
    STATIC_CHECK(kernel(3) == 0);
}

TEST_CASE("with_axes: is false if the axes have no names or the number of names differs") {
    STATIC_CHECK(!with_axes<nameless, "nchw">);
    STATIC_CHECK(!with_axes<layout_constant<layout({2, 64, 5, 4}, "nchw")>, "nchw">);
    STATIC_CHECK(!with_axes<layout, "nchw">);
    STATIC_CHECK(!with_axes<int, "nchw">);
    STATIC_CHECK(!with_axes<activations, "nch">);
    STATIC_CHECK(!with_axes<activations, "nchwd">);
}

TEST_CASE("check_axes: the refusal has the name and its position") {
    STATIC_CHECK(check_axes<activations, "nchw">().ok());
    STATIC_CHECK(check_axes<activations, "nhcw">() == verdict{reason::axis_is_named_otherwise, 1, 'c', 'h'});
    STATIC_CHECK(check_axes<nameless, "oihw">() == verdict{reason::axis_is_not_named, 0, 0, 'o'});
    STATIC_CHECK(check_axes<activations, "nch">() == verdict{reason::rank_differs, -1, 4, 3});
    STATIC_CHECK(describe(check_axes<activations, "nhcw">()) ==
                 "axis_is_named_otherwise: axis 1 is called 'c' by its tensor, but 'h' where the tensor is used");
    STATIC_CHECK(describe(check_axes<nameless, "oihw">()) ==
                 "axis_is_not_named: the axes have no names, but axis 0 should be called 'o'");
}

TEST_CASE("named_layout: equals the layout that it derives from") {
    STATIC_CHECK(std::is_empty_v<activations>);
    STATIC_CHECK(layout_type<activations>);
    STATIC_CHECK(activations::value == nameless::value);
    STATIC_CHECK([]<layout L>(layout_constant<L>) { return L; }(activations()) == activations::value);
    const auto named = name_axes<"oihw">(partly_bound(dims{64}));
    STATIC_CHECK(bound_layout_type<decltype(named)>);
    STATIC_CHECK(sizeof(named) == sizeof(partly_bound));
    CHECK(static_cast<layout>(named) == layout({2, 64, 5, 4}, "nchw"));
    CHECK(named.offset(1, 2, 3, 1) == layout({2, 64, 5, 4}, "nchw").offset(1, 2, 3, 1));
}

TEST_CASE("name_axes: adds or replaces names") {
    STATIC_CHECK(with_axes<decltype(name_axes<"oihw">(nameless())), "oihw">);
    STATIC_CHECK(with_axes<decltype(name_axes<"oihw">(activations())), "oihw">);
    STATIC_CHECK(with_axes<decltype(name_axes<"bhsd">(layout_c<layout({2, 8, 9, 4}, axis_names<"bhsd">::tag("bshd"))>)),
                           "bhsd">);
    STATIC_CHECK(with_axes<decltype(name_axes<"oihw">(partly_bound(dims{64}))), "oihw">);
    STATIC_CHECK(check_name_count(nameless::value, "oih") == verdict{reason::rank_differs, -1, 3, 4});
}

}}  // namespace test_typed_named_layout
