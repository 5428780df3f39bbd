#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/view/view_operations.hpp>

#include "view/view_cases.hpp"

#include <plait/typed/concepts.hpp>

namespace test_view_view_operations { namespace {

using namespace plait;
using plait::formats::ab;
using namespace plait_test;

using blocked = nChw16c<2, 32, 3, 4>;
constexpr auto partly_static = layout_c<layout({dynamic, 32, 3, dynamic}, "nChw16c")>;
using tensor = three_views<blocked, std::remove_const_t<decltype(partly_static)>>;

/// True if the results of the three kinds of views, and of views with values, equal that of the operation on layouts.
template <class Known, class Bound, class Late, class Values>
bool same_memory_as_layout(const Known& known, const Bound& bound, const Late& late, const Values& values,
                           const layout& expected) {
    return known.plain_layout() == expected && bound.plain_layout() == expected && late.plain_layout() == expected &&
           values.plain_layout() == expected && is_the_layout(known) && is_the_layout(bound) && is_the_layout(late) &&
           is_the_layout(values) && known.data() == bound.data() && late.data() == values.data() &&
           known.data() == late.data();
}

TEST_CASE("views: rearrange takes a pattern that is a constant or a run-time value") {
    const tensor t;
    const layout expected = rearrange(blocked::value, "n (g c) h w -> n g h w c", {{"g", 4}});
    const auto of = [](const auto& v) { return rearrange<"n (g c) h w -> n g h w c", 4>(v); };
    CHECK(same_memory_as_layout(of(t.known), of(t.bound), of(t.late),
                                rearrange(t.known, "n (g c) h w -> n g h w c", {{"g", 4}}), expected));
    CHECK(&of(t.known)(1, 2, 2, 3, 5) == &t.known(1, 21, 2, 3));
    CHECK(&of(t.bound)(1, 2, 2, 3, 5) == &t.known(1, 21, 2, 3));
    CHECK(with_axes<decltype(rearrange<"n c h w -> n h w c">(t.known))::layout_in_type, "nhwc">);
    // If the type of a view names its axes, the letters of the pattern must agree; otherwise any letters are accepted.
    const plait::expected<axis_pattern> wrong = parse_axis_pattern("n h w c -> c n h w");
    CHECK(refusal_of([&] { return rearrange(t.known, *wrong); }) ==
          verdict{reason::axis_is_named_otherwise, 1, 'c', 'h'});
    CHECK(rearrange(t.late, *wrong).plain_layout() == rearrange(blocked::value, *wrong));
    CHECK(rearrange(t.bound, *wrong).plain_layout() == rearrange(blocked::value, *wrong));
}

}}  // namespace test_view_view_operations
