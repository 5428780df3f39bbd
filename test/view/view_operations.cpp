#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/rearrange.hpp>
#include <plait/view/view_operations.hpp>

#include "view/view_cases.hpp"

#include <plait/typed/concepts.hpp>

namespace test_view_view_operations {

using namespace plait;
using plait::formats::ab;
using namespace plait_test;

namespace {

using blocked = nChw16c<2, 32, 3, 4>;
constexpr auto partly_static = layout_c<layout({dynamic, 32, 3, dynamic}, "nChw16c")>;
template <int N>
inline constexpr std::integral_constant<int, N> number{};

struct tensor {
    std::vector<float> data = numbered<float>(blocked::value);
    tensor_view<float, blocked> known{data.data(), blocked()};
    tensor_view<float, bound_layout<partly_static.value>> bound{data.data(), bind(partly_static, 2, 4)};
    tensor_view<float, layout> late{data.data(), blocked::value};
};

/// True if the results of the three kinds of views, and of views with values, equal that of the operation on layouts.
template <class Known, class Bound, class Late, class Values>
bool same_memory_as_layout(const Known& known, const Bound& bound, const Late& late, const Values& values,
                           const layout& expected) {
    return known.plain_layout() == expected && bound.plain_layout() == expected && late.plain_layout() == expected &&
           values.plain_layout() == expected && is_the_layout(known) && is_the_layout(bound) && is_the_layout(late) &&
           is_the_layout(values) && known.data() == bound.data() && late.data() == values.data() &&
           known.data() == late.data();
}

template <class L, format_tag Tag>
    requires matches<L, Tag>
constexpr bool accepts(const tensor_view<float, L>&) { return true; }

}  // namespace

TEST_CASE("views: permute_axes and rename_axes equal those of layouts") {
    const tensor t;
    constexpr auto p = permutation_c<0, 3, 1, 2>;
    CHECK(same_memory_as_layout(permute_axes(t.known, p), permute_axes(t.bound, p), permute_axes(t.late, p),
                                permute_axes(t.known, p.value), permute_axes(blocked::value, p.value)));
    CHECK(same_memory_as_layout(rename_axes(t.known, p), rename_axes(t.bound, p), rename_axes(t.late, p),
                                rename_axes(t.known, p.value), rename_axes(blocked::value, p.value)));
    const auto moved = permute_axes(t.known, p);
    CHECK(&moved(1, 2, 3, 17) == &t.known(1, 17, 2, 3));
    CHECK(&rename_axes(t.known, permutation_c<0, 2, 3, 1>)(1, 2, 3, 17) == &t.known(1, 17, 2, 3));
    using turned = layout_constant<permute_axes(blocked::value, p.value)>;
    STATIC_CHECK(std::is_same_v<decltype(permute_axes(t.known, p)),
                                tensor_view<float, named_layout<turned, 'n', 'h', 'w', 'c'>>>);
    STATIC_CHECK(std::is_same_v<decltype(permute_axes(t.bound, p)),
                                tensor_view<float, bound_layout<permute_axes(partly_static.value, p.value)>>>);
    STATIC_CHECK(std::is_same_v<decltype(permute_axes(t.known, p.value)), tensor_view<float, layout>>);
    // The type of a result matches tags as a named format does.
    STATIC_CHECK(accepts<typename decltype(rename_axes(t.known, permutation_c<0, 1, 3, 2>))::layout_in_type, "aBdc16b">(
        rename_axes(tensor_view<float, blocked>(unchecked_t{}, nullptr, blocked()), permutation_c<0, 1, 3, 2>)));
}

TEST_CASE("views: reshape and view equal those of layouts") {
    const tensor t;
    CHECK(same_memory_as_layout(reshape(t.known, dims_c<2, 32, 12>), reshape(t.bound, dims_c<2, 32, 12>),
                                reshape(t.late, dims_c<2, 32, 12>), reshape(t.known, dims{2, 32, 12}),
                                reshape(blocked::value, {2, 32, 12})));
    CHECK(same_memory_as_layout(view(t.known, dims_c<2, 2, 16, 12>), view(t.bound, dims_c<2, 2, 16, 12>),
                                view(t.late, dims_c<2, 2, 16, 12>), view(t.known, dims{2, 2, 16, 12}),
                                view(blocked::value, {2, 2, 16, 12})));
    CHECK(&view(t.known, dims_c<2, 2, 16, 12>)(1, 1, 3, 7) == &t.known(1, 19, 1, 3));
}

TEST_CASE("views: broadcast_axis repeats the elements without a copy") {
    std::vector<float> data = numbered<float>(layout({1, 3}, "ab"));
    const tensor_view row(data.data(), ab<1, 3>());
    const auto rows = broadcast_axis(row, number<0>, number<4>);
    CHECK((rows.extent(0) == 4 && &rows(3, 2) == &row(0, 2)));
    STATIC_CHECK(std::is_same_v<decltype(broadcast_axis(row, number<0>, number<4>)),
                                tensor_view<float, layout_constant<layout({4, 3}, strides{0, 1})>>>);
    CHECK(is_the_layout(broadcast_axis(row, 0, 5)));
    CHECK(is_the_layout(broadcast_axis(tensor_view(data.data(), layout({1, 3}, "ab")), number<0>, number<2>)));
    const auto bound = broadcast_axis(tensor_view(data.data(), bind(ab<1, dynamic>(), 3)), number<0>, number<2>);
    CHECK((is_the_layout(bound) && &bound(1, 2) == &row(0, 2)));
}

TEST_CASE("views: the operations refuse the arguments that they refuse for layouts") {
    const tensor t;
    CHECK((refusal_of([&] {
               return permute_axes(t.known, permutation{0, 1, 1, 2});
           }) == check_permute_axes(blocked::value, {0, 1, 1, 2})));
    CHECK((refusal_of([&] {
               return rename_axes(t.late, permutation{0, 1, 2});
           }) == check_rename_axes(blocked::value, {0, 1, 2})));
    CHECK((refusal_of([&] {
               return reshape(t.known, dims{2, 2, 16, 12});
           }) == check_reshape(blocked::value, {2, 2, 16, 12})));
    CHECK((refusal_of([&] { return reshape(t.late, dims_c<2, 2, 16, 12>); }) ==
           check_reshape(blocked::value, {2, 2, 16, 12})));
    CHECK((refusal_of([&] { return view(t.bound, dims{2, 3}); }) == check_view(blocked::value, {2, 3})));
    CHECK((refusal_of([&] { return reshape(t.bound, dims_c<2, 32, 13>); }) ==
           check_reshape(blocked::value, {2, 32, 13})));
    CHECK((refusal_of([&] { return broadcast_axis(t.late, 1, 4); }) == check_broadcast_axis(blocked::value, 1, 4)));
    CHECK((refusal_of([&] { return broadcast_axis(t.known, 7, 4); }) == check_broadcast_axis(blocked::value, 7, 4)));
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

}  // namespace test_view_view_operations
